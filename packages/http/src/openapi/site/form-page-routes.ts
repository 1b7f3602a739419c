import { json, LIMITED, page, redirect, type SiteRoute } from './site-route.ts'

const TAG = 'Form pages'
const params = { formToken: 'The token of the form.' }
const answers = {
  401: page('The form requires its password, or the sign-in of a member.'),
  404: page('No published form has this token.'),
}
const notice = 'The visitor is signed in but is no member of the organization.'

/** The hosted page of forms. */
export const FORM_PAGE_ROUTES: readonly SiteRoute[] = [
  {
    id: 'openFormPage',
    method: 'get',
    path: '/forms/{formToken}',
    tag: TAG,
    summary: 'Open the page of a form',
    description:
      'Other query parameters are initial values of the fields that allow it. A form with a password is opened by ' +
      'the cookie that signing in on this page sets, for this form only.',
    access: 'visitor',
    params,
    query: { 'form.done': { type: 'string', description: 'Shows the confirmation.' } },
    responses: {
      200: page('The form, or the confirmation.'),
      403: page(notice),
      ...answers,
      429: page(LIMITED),
    },
  },
  {
    id: 'submitFormPage',
    method: 'post',
    path: '/forms/{formToken}',
    tag: TAG,
    summary: 'Submit the page of a form, or sign in to it',
    description: 'Takes a value for each field, by the name of the field.',
    access: 'visitor',
    params,
    headers: { 'x-form-script': 'Sent by the script of the page, which cannot see redirects.' },
    form: {
      'form.action': { type: 'string', description: '`sign-in`: the password of the form is sent.' },
      'form.username': { type: 'string' },
      'form.password': { type: 'string' },
      'form.started': { type: 'string', description: 'Signed time at which the page was made.' },
      'form.website': { type: 'string', description: 'Hidden from people; bots fill it in.' },
    },
    responses: {
      200: json('With `X-Form-Script`: where to go.', { location: { type: 'string' } }),
      303: redirect('To the confirmation, to the address that the form names, or back to the form.'),
      400: page('The form again, with its errors.'),
      403: page(`${notice} Or the sign-in does not come from a page of this server.`),
      ...answers,
      429: page(LIMITED),
    },
  },
]
