import { html } from '@troupe/html'
import type { HtmlPage } from '../rendering/html-page.ts'
import { BRAND } from '../rendering/mark.ts'
import { type Fault, faultSummary, field, titleOf } from './form-parts.ts'
import { PASSWORD_HELP } from './password-faults.ts'

/** The content of the page behind a reset link. */
export interface NewPasswordView {
  /** Path of this page. */
  path: string
  /** The address of the account. */
  email: string
  faults?: readonly Fault[]
}

export function newPasswordPage({ path, email, faults = [] }: NewPasswordView): HtmlPage {
  return {
    title: titleOf('Choose a new password', faults),
    width: 'column',
    header: BRAND,
    main: html`<h1>Choose a new password</h1>
<p>With the new password you are signed out everywhere else.</p>
${faultSummary(faults)}
<form method="post" action="${path}">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, readOnly: true }, faults)}
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', help: PASSWORD_HELP }, faults)}
<button type="submit">Change password</button>
</form>`,
  }
}
