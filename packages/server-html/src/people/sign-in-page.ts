import { html } from '@troupe/html'
import { HOME_PATH, RESET_PATH, SIGN_IN_PATH } from '../paths/next-path.ts'
import type { HtmlPage } from '../rendering/html-page.ts'
import { BRAND } from '../rendering/mark.ts'
import { type Fault, faultSummary, field, titleOf } from './form-parts.ts'

/** One message for a wrong password and an unknown address, so that accounts cannot be probed. */
export const WRONG_CREDENTIALS: Fault = {
  field: null,
  message: 'The e-mail address or the password is wrong.',
}

/** The content of the sign-in page. */
export interface SignInView {
  /** A validated path. */
  next: string
  email?: string
  faults?: readonly Fault[]
  /** The completed action. */
  notice?: SignInNotice
}

/** An action completed on another page that leads here. */
export type SignInNotice = 'signed-out' | 'password-reset'

const NOTICES: Record<SignInNotice, string> = {
  'signed-out': 'You are signed out.',
  'password-reset': 'Your password was changed. Please sign in with it.',
}

export function signInPage({ next, email = '', faults = [], notice }: SignInView): HtmlPage {
  return {
    title: titleOf('Sign in', faults),
    width: 'column',
    header: BRAND,
    main: html`<h1>Sign in</h1>
${notice ? html`<div class="notice" role="status"><p>${NOTICES[notice]}</p></div>` : null}
${faultSummary(faults)}
<form method="post" action="${SIGN_IN_PATH}">
${next === HOME_PATH ? null : html`<input type="hidden" name="next" value="${next}">`}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email }, faults)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }, faults)}
<button type="submit">Sign in</button>
</form>
<p><a href="${RESET_PATH}">Forgot your password?</a></p>`,
    footer: html`<p>An account comes with an invitation. Ask an owner or admin of your organization for one.</p>`,
  }
}
