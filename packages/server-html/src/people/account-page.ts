import { type IdText, type MemberRole, roleHas, type SignInRowId } from '@troupe/contract'
import { html, type Markup, momentText } from '@troupe/html'
import { organizationPath, PLAIN_INBOX_PATH, reviewsPath } from '../paths/builder-paths.ts'
import type { HtmlPage } from '../rendering/html-page.ts'
import { type Fault, faultSummary, field, titleOf } from './form-parts.ts'
import { PASSWORD_HELP } from './password-faults.ts'
import { personHeader } from './person-header.ts'

/** An organization of the user, and their role in it. */
interface PersonsOrganization {
  name: string
  slug: string
  role: MemberRole
}

/** A browser in which the user is signed in. */
export interface SignedInBrowser {
  signInId: IdText<SignInRowId>
  ip: string | null
  /** "Chrome on macOS"; null: unknown. */
  browser: string | null
  createdAt: Date
  /** Whether it is the requesting browser. */
  isCurrent: boolean
}

/** The content of the account page. */
export interface AccountView {
  person: { name: string; email: string }
  /** The organizations of active memberships. */
  organizations: readonly PersonsOrganization[]
  /** Newest first. */
  signIns: readonly SignedInBrowser[]
  faults?: readonly Fault[]
  /** The submitted name that was refused. */
  sentName?: string
  /** The completed action: the name or the password is changed, or another sign-in is ended. */
  done?: keyof typeof DONE
}

const NAME_HELP = 'Others see it in the list of members, in reviews and in the audit log.'

const DONE = {
  name: 'Your name was changed.',
  password: 'Your password was changed. You are signed out everywhere else.',
  signIn: 'That browser is signed out.',
} as const

/** The account without the builder: for users without an organization, and for browsers without JavaScript. */
export function accountPage(view: AccountView): HtmlPage {
  const { person, organizations, signIns, faults = [], sentName = person.name, done } = view
  return {
    title: titleOf('Your account', faults),
    width: 'wide',
    header: personHeader('account', organizations.length > 0),
    main: html`<h1>${person.name}</h1>
${done ? html`<div class="notice" role="status"><p>${DONE[done]}</p></div>` : null}
${faultSummary(faults)}
<p>You are signed in as ${person.email}.</p>
<section class="card" aria-labelledby="organizations">
<h2 id="organizations">Your organizations</h2>
${
  organizations.length === 0
    ? html`<p>You do not belong to an organization at the moment. Ask an owner or admin to invite you.</p>`
    : html`<div class="scroll"><table>
<thead><tr><th scope="col">Organization</th><th scope="col">Your role</th><th scope="col"><span class="visually-hidden">Reviews</span></th></tr></thead>
<tbody>${organizations.map(organizationRow)}</tbody>
</table></div>
<noscript><p>The builder needs JavaScript. <a href="${PLAIN_INBOX_PATH}">Reviews work without it.</a></p></noscript>`
}
</section>
<section class="card" aria-labelledby="change-name">
<h2 id="change-name">Your name</h2>
<form method="post" action="/account/name">
${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: sentName, help: NAME_HELP }, faults)}
<button type="submit" class="quiet">Change name</button>
</form>
</section>
<section class="card" aria-labelledby="change-password">
<h2 id="change-password">Change your password</h2>
<form method="post" action="/account">
<input type="text" name="username" value="${person.email}" autocomplete="username" hidden>
${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password' }, faults)}
${field({ name: 'next', label: 'New password', type: 'password', autocomplete: 'new-password', help: PASSWORD_HELP }, faults)}
<button type="submit" class="quiet">Change password</button>
</form>
</section>
<section class="card" aria-labelledby="sign-ins">
<h2 id="sign-ins">Where you are signed in</h2>
<ul class="rows">${signIns.map(signInRow)}</ul>
</section>
<section class="card" aria-labelledby="sign-out">
<h2 id="sign-out">Sign out</h2>
<p>Signing out deletes your data from this browser, including unsaved edits.</p>
<form method="post" action="/sign-out"><button type="submit" class="quiet">Sign out</button></form>
</section>`,
  }
}

function organizationRow({ name, slug, role }: AccountView['organizations'][number]): Markup {
  const home = roleHas(role, 'read') ? organizationPath(slug) : reviewsPath(slug)
  const reviews = html`<a href="${reviewsPath(slug)}" aria-label="Reviews of ${name}">Reviews</a>`
  return html`<tr><td><a href="${home}">${name}</a></td><td>${role}</td><td>${reviews}</td></tr>`
}

function signInRow({ signInId, ip, browser, createdAt, isCurrent }: SignedInBrowser): Markup {
  const name = browser ?? 'Unknown browser'
  const address = ip ?? 'unknown address'
  const end = html`<form method="post" action="/account/sign-ins/${signInId}"><button type="submit" class="quiet" aria-label="Sign out of ${name}, ${address}">Sign out</button></form>`
  return html`<li><div><strong>${name}</strong><div class="detail">${address}, since ${momentText(createdAt.getTime())}</div></div>${isCurrent ? html`<span>This browser</span>` : end}</li>`
}
