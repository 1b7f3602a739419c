import { html } from '@troupe/html'
import type { HtmlPage } from '../rendering/html-page.ts'
import { BRAND } from '../rendering/mark.ts'
import { type Fault, faultSummary, field, titleOf } from './form-parts.ts'
import { PASSWORD_HELP } from './password-faults.ts'

/** The page behind the link that is printed on the first start. `path`: of this page. */
export function startPage(path: string): HtmlPage {
  return {
    title: 'Welcome to Troupe',
    width: 'column',
    header: BRAND,
    main: html`<h1>Welcome to Troupe</h1>
<p>The Playground is ready: agents, teams and workflows that run without an account at a model provider.</p>
<form method="post" action="${path}">
<button type="submit">Open the Playground</button>
</form>
<p class="help">This signs you in as its owner. The link works once.</p>`,
  }
}

/** The content of the page that creates the first organization. */
export interface SetupView {
  organization?: string
  name?: string
  email?: string
  faults?: readonly Fault[]
}

/** The page that creates the first organization and its owner. */
export function setupPage({ organization = '', name = '', email = '', faults = [] }: SetupView): HtmlPage {
  return {
    title: titleOf('Set up Troupe', faults),
    width: 'column',
    header: BRAND,
    main: html`<h1>Set up Troupe</h1>
<p>Nobody has signed in yet. Create the first organization, and your account as its owner.</p>
${faultSummary(faults)}
<form method="post" action="/setup">
${field({ name: 'token', label: 'Setup token or admin token', type: 'password', autocomplete: 'off', help: 'TROUPE_SETUP_TOKEN or TROUPE_ADMIN_TOKEN of this server. Without them, the content of admin.token in the data folder.' }, faults)}
${field({ name: 'organization', label: 'Name of the organization', type: 'text', autocomplete: 'organization', value: organization }, faults)}
${field({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: name }, faults)}
${field({ name: 'email', label: 'Your e-mail address', type: 'email', autocomplete: 'username', value: email }, faults)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', help: PASSWORD_HELP }, faults)}
<button type="submit">Set up</button>
</form>`,
  }
}
