import { html } from '@troupe/html'
import { RESET_PATH, SIGN_IN_PATH } from '../paths/next-path.ts'
import type { HtmlPage } from '../rendering/html-page.ts'
import { BRAND } from '../rendering/mark.ts'
import { field } from './form-parts.ts'

const TITLE = 'Forgot your password?'

/** The page on which a signed-out user requests a link; without mail it names a contact. */
export function resetRequestPage({ areMailed }: { areMailed: boolean }): HtmlPage {
  return {
    title: TITLE,
    width: 'column',
    header: BRAND,
    main: areMailed
      ? html`<h1>${TITLE}</h1>
<p>Enter the address of your account. A link to choose a new password will be sent to it.</p>
<form method="post" action="${RESET_PATH}">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' }, [])}
<button type="submit">Send link</button>
</form>
${BACK}`
      : html`<h1>${TITLE}</h1>
<p>This server sends no e-mail. Please ask the operator of the server for a link to choose a new password; the command is
<code>troupe reset-link your@address.example</code>.</p>
${BACK}`,
  }
}

/** The same for every address, whether or not it has an account. */
export function resetRequestedPage(): HtmlPage {
  return {
    title: 'Check your e-mail',
    width: 'column',
    header: BRAND,
    main: html`<h1>Check your e-mail</h1>
<p>If the address has an account, a link to choose a new password is on its way to it. The link can be used once,
within an hour.</p>
<p>Nothing arrives? Check the spam folder, and make sure that it is the address you were invited with.</p>
${BACK}`,
  }
}

const BACK = html`<p><a href="${SIGN_IN_PATH}">Back to sign-in</a></p>`
