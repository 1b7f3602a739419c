import type { MemberRole } from '@troupe/contract'
import { html } from '@troupe/html'
import type { HtmlPage } from '../rendering/html-page.ts'
import { BRAND, type Fault, faultSummary, field, titleOf } from './form-parts.ts'
import { PASSWORD_HELP } from './password-faults.ts'

/** The content of the account page. */
export interface AccountView {
  person: { name: string; email: string }
  organizations: readonly { name: string; role: MemberRole }[]
  faults?: readonly Fault[]
  /** Whether the password has just been changed. */
  changed?: boolean
}

export function accountPage({ person, organizations, faults = [], changed = false }: AccountView): HtmlPage {
  return {
    title: titleOf('Your account', faults),
    header: BRAND,
    main: html`<h1>${person.name}</h1>
${changed ? html`<div class="notice" role="status"><p>Your password is changed. You are signed out everywhere else.</p></div>` : null}
${faultSummary(faults)}
<p>You are signed in as ${person.email}.</p>
<section aria-labelledby="organizations">
<h2 id="organizations">Your organizations</h2>
${
  organizations.length === 0
    ? html`<p>You do not belong to an organization at the moment. Ask an owner or admin to invite you.</p>`
    : html`<div class="scroll"><table>
<thead><tr><th scope="col">Organization</th><th scope="col">Your role</th></tr></thead>
<tbody>${organizations.map(({ name, role }) => html`<tr><td>${name}</td><td>${role}</td></tr>`)}</tbody>
</table></div>
<p><a class="button" href="/reviews">Open reviews</a></p>`
}
</section>
<section aria-labelledby="change-password">
<h2 id="change-password">Change your password</h2>
<form method="post" action="/account">
<input type="text" name="username" value="${person.email}" autocomplete="username" hidden>
${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password' }, faults)}
${field({ name: 'next', label: 'New password', type: 'password', autocomplete: 'new-password', help: PASSWORD_HELP }, faults)}
<button type="submit" class="quiet">Change password</button>
</form>
</section>
<section aria-labelledby="sign-out">
<h2 id="sign-out">Sign out</h2>
<form method="post" action="/sign-out"><button type="submit" class="quiet">Sign out</button></form>
</section>`,
  }
}
