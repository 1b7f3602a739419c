import type { MemberRole } from '@troupe/contract'
import { html, type Markup } from '@troupe/html'
import type { OpenInvitation } from '@troupe/operations/members/find-invitation'
import type { HtmlPage } from '../rendering/html-page.ts'
import { BRAND } from '../rendering/mark.ts'
import { type Fault, faultSummary, field, titleOf } from './form-parts.ts'
import { PASSWORD_HELP } from './password-faults.ts'

const AS: Record<MemberRole, string> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
  viewer: 'a viewer',
  reviewer: 'a reviewer',
}

/** The content of an invitation's page. */
export interface InvitationView {
  /** Path of this page. */
  path: string
  invitation: OpenInvitation
  /** The signed-in person; null if nobody is signed in. */
  person: { name: string; email: string } | null
  /** Path of the sign-in page that redirects back here. */
  signInPath: string
  name?: string
  faults?: readonly Fault[]
}

export function invitationPage(view: InvitationView): HtmlPage {
  const { invitation, faults = [] } = view
  const { organizationName, role } = invitation
  const title = `Join ${organizationName}`
  return {
    title: titleOf(title, faults),
    width: 'column',
    header: BRAND,
    main: html`<h1>${title}</h1>
<p>You are invited to work in <strong>${organizationName}</strong> as ${AS[role]}.</p>
${faultSummary(faults)}
${nextStep(view)}`,
  }
}

function nextStep({ path, invitation, person, signInPath, name = '', faults = [] }: InvitationView): Markup {
  const { email, organizationName, hasAccount, takesOver } = invitation
  if (person?.email === email) {
    return html`<p>You are signed in as ${person.name} (${email}).</p>
<form method="post" action="${path}"><button type="submit">Join ${organizationName}</button></form>`
  }
  if (person) {
    return html`<p>You are signed in as ${person.email}, but the invitation is for ${email}. Sign out first, and then
open the link again.</p>
<form method="post" action="/sign-out"><button type="submit">Sign out</button></form>`
  }
  if (hasAccount) {
    return html`<p>${email} has an account here. Sign in with it to join.</p>
<p><a class="button" href="${signInPath}">Sign in</a></p>`
  }
  return html`${
    takesOver
      ? html`<p>An account for ${email} exists, but nobody has confirmed the address yet. As this link was sent to it, the
account is yours: choose a new name and password. Anyone who used it until now is signed out.</p>`
      : null
  }<form method="post" action="${path}">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, readOnly: true }, faults)}
${field({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: name }, faults)}
${field({ name: 'password', label: 'Choose a password', type: 'password', autocomplete: 'new-password', help: PASSWORD_HELP }, faults)}
<button type="submit">${takesOver ? 'Take over account and join' : 'Create account and join'}</button>
</form>`
}
