import type { FieldIssue } from '@troupe/contract'
import { html, type Markup, markdown, originsOf } from '@troupe/html'
import type { CompleteFormField, Form } from '@troupe/nodes/form'
import { readAsset } from '../rendering/asset.ts'
import { type HtmlPage, renderPage } from '../rendering/html-page.ts'
import { sign } from '../rendering/sign.ts'
import { accentProperties } from './accent.ts'
import { CONTROL, type FieldState, fieldMarkup, sentence } from './field-markup.ts'
import { initialValues } from './posted-values.ts'

/** Uploads files and submits the form without leaving the page; only files require it. */
export const FORM_SCRIPT = readAsset(new URL('./form.js', import.meta.url), 'js')

/** The form behind a page. */
export interface PageForm {
  form: Form
  /** Path of the page. */
  path: string
  /** The endpoint to which its script sends files, below `/upload`. */
  api: string
  /** Whether it belongs to a listener: submissions go to the editor of the workflow. */
  isTest: boolean
}

/** The state of a form during editing. */
export interface FormView {
  /** In the order of the fields. */
  states: readonly Pick<FieldState, 'values' | 'uploads'>[]
  issues: readonly FieldIssue[]
  /** An error of the submission that belongs to no field. */
  notice: string | null
  /** The signed time at which the page was rendered, for forms with a bot guard. */
  started: string | null
  /**
   * Whether the honeypot was filled in, which browsers and password managers also do: the page asks the visitor, and `isAnswered` records
   * the answer.
   */
  suspicion: { isAnswered: boolean } | null
  maxFileBytes: number
}

/** Theme and policy shared by all pages of a form. They reveal only the form's appearance. */
function pageOf({ form }: PageForm, page: Pick<HtmlPage, 'title' | 'main' | 'scripts'>): HtmlPage {
  const { theme, embedOrigins } = form
  const { logoUrl, accent, radius, mode } = theme
  return {
    ...page,
    brightness: mode,
    // The title follows, so the logo is decorative for screen readers.
    header:
      logoUrl === null ? null : html`<img class="logo" src="${logoUrl}" alt="" referrerpolicy="no-referrer">`,
    properties: { '--radius': `${radius}px`, ...(accent === null ? {} : accentProperties(accent)) },
    policy: {
      embedOrigins,
      imageOrigins: originsOf(logoUrl),
    },
  }
}

/** The notice on a test form, which looks like the published one. */
const TEST_NOTE = html`<p class="notice"><strong>Test form.</strong> It shows the unpublished draft. What you send is shown to the people who edit the workflow, and starts nothing.</p>`

const idOf = (at: number) => `field-${at + 1}`

/** The error summary, each entry a link to its field. It works without a script. */
function faultSummary(form: Form, { issues, notice }: FormView): Markup | null {
  if (issues.length === 0 && notice === null) return null
  const links = issues.map(({ field, message }) => {
    const at = form.fields.findIndex(({ name }) => name === field)
    const label = form.fields[at]?.label ?? field
    const text = `${label}${/[.:?!]$/.test(label) ? '' : ':'} ${sentence(message)}`
    return html`<li><a href="#${idOf(at)}">${text}</a></li>`
  })
  return html`<div class="faults" id="faults" role="alert" tabindex="-1" autofocus>
<h2>${issues.length === 0 ? 'Not sent' : 'Please check your answers'}</h2>
${notice === null ? null : html`<p>${notice}</p>`}${links.length === 0 ? null : html`<ul>${links}</ul>`}
</div>`
}

/** Honeypot and time stamp: bots fill in hidden fields, and submit faster than humans. */
function botGuard({ started, suspicion }: FormView): Markup | null {
  if (started === null) return null
  if (suspicion !== null) {
    return html`<div class="field"><label class="choice"><input type="checkbox" name="${CONTROL.person}" value="yes"${
      suspicion.isAnswered ? html` checked` : null
    }> <span>I am a person</span></label></div>
<input type="hidden" name="${CONTROL.started}" value="${started}">`
  }
  return html`<div class="visually-hidden" aria-hidden="true"><label>Leave this empty <input name="${CONTROL.trap}" tabindex="-1" autocomplete="off"></label></div>
<input type="hidden" name="${CONTROL.started}" value="${started}">`
}

/** The page with the form. */
export function formPage(pageForm: PageForm, view: FormView): HtmlPage {
  const { form, path, api, isTest } = pageForm
  const faults = new Map(view.issues.map(({ field, message }) => [field, message]))
  const stateOf = (field: CompleteFormField, at: number): FieldState => ({
    id: idOf(at),
    values: [],
    uploads: [],
    ...view.states[at],
    fault: faults.get(field.name) ?? null,
  })
  const fields = form.fields.map((field, at) => fieldMarkup(field, stateOf(field, at), view.maxFileBytes))
  const isRefused = view.issues.length > 0 || view.notice !== null
  const page = pageOf(pageForm, {
    title: isRefused ? `Error: ${form.title}` : form.title,
    scripts: [FORM_SCRIPT],
    main: html`${isTest ? TEST_NOTE : null}${faultSummary(form, view)}<h1>${form.title}</h1>
${form.description === '' ? null : html`<section class="prose">${markdown(form.description)}</section>`}
<form method="post" action="${path}" novalidate data-form data-api="${api}">
${fields}
${botGuard(view)}
<button type="submit">${form.submitLabel}</button>
</form>`,
  })
  // Browsers also apply this list to the redirect after the form's submission.
  return { ...page, policy: { ...page.policy, formTargets: originsOf(form.redirectUrl) } }
}

/** The page of a form for a frame in the builder: without its script, and with its theme beside the document. */
export function formPreview(
  form: Form,
  maxFileBytes: number,
): { html: string; properties: Record<string, string> } {
  const states = form.fields.map((field) => ({ values: initialValues(field, {}), uploads: [] }))
  const view = { states, issues: [], notice: null, started: null, suspicion: null, maxFileBytes }
  const page = formPage({ form, path: '', api: '', isTest: false }, view)
  const { properties = {} } = page
  return { html: renderPage({ ...page, scripts: [], properties: {} }), properties: { ...properties } }
}

/** The page after a submission. */
export function submittedPage(pageForm: PageForm): HtmlPage {
  const { form, path, isTest } = pageForm
  return pageOf(pageForm, {
    title: form.title,
    main: html`${isTest ? TEST_NOTE : null}${sign('done')}<h1>${form.title}</h1>
<div class="prose" role="status">${markdown(form.successMessage)}</div>
<p><a class="button quiet" href="${path}">Send another response</a></p>`,
  })
}

/** The password page of a form. It reveals only the form's appearance. */
export function passwordPage(
  pageForm: PageForm,
  refused: { username: string; message: string } | null,
): HtmlPage {
  const { path } = pageForm
  return pageOf(pageForm, {
    title: refused ? 'Error: Sign in' : 'Sign in',
    main: html`${
      refused
        ? html`<div class="faults" id="faults" role="alert" tabindex="-1" autofocus><h2>You are not signed in</h2><p>${refused.message}</p></div>`
        : null
    }${sign('locked')}<h1>Sign in</h1>
<p class="quiet">This form asks for a user name and a password.</p>
<form method="post" action="${path}">
<input type="hidden" name="${CONTROL.action}" value="sign-in">
<div class="field"><label for="username">User name</label><input id="username" name="${CONTROL.username}" value="${refused?.username ?? ''}" autocomplete="username" autocapitalize="none" spellcheck="false" required></div>
<div class="field"><label for="password">Password</label><input type="password" id="password" name="${CONTROL.password}" autocomplete="current-password" required></div>
<button type="submit">Sign in</button>
</form>`,
  })
}

/** The sign-in page of a form for members. */
export function memberSignInPage(pageForm: PageForm, signInPath: string): HtmlPage {
  return pageOf(pageForm, {
    title: 'Sign in to open this form',
    main: html`${sign('locked')}<h1>Sign in to open this form</h1>
<p class="quiet">It is for the members of an organization. After you have signed in, you come back to it.</p>
<p class="ways"><a class="button" href="${signInPath}">Sign in</a></p>`,
  })
}

/** The page for a signed-in user who is not a member of the form's organization. */
export function notMemberPage(pageForm: PageForm): HtmlPage {
  return pageOf(pageForm, {
    title: 'No access',
    main: html`${sign('locked')}<h1>You have no access to this form</h1>
<p class="quiet">You are signed in, but you are not a member of this organization. Ask its administrators to invite you, or sign in with another account.</p>`,
  })
}
