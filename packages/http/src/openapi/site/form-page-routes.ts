import { json, LIMITED, page, redirect, type SiteRoute } from './site-route.ts'

const TAG = 'Form pages'
const params = { formToken: 'The token of the form.' }
const answers = {
  401: page('The form requires its password, or the sign-in of a member.'),
  404: page('No published form has this token.'),
}
const notice = 'The visitor is signed in but is not a member of the organization.'

/** The pages of a form: of the published one, or of a draft with a listener. */
const pagesAt = ({
  suffix,
  path,
  of,
  about,
}: Record<'suffix' | 'path' | 'of' | 'about', string>): SiteRoute[] => [
  {
    id: `open${suffix}`,
    method: 'get',
    path,
    tag: TAG,
    summary: `Open the page of ${of}`,
    description:
      `${about}Other query parameters are initial values of the fields that allow it. A form with a password is opened by ` +
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
    id: `submit${suffix}`,
    method: 'post',
    path,
    tag: TAG,
    summary: `Submit the page of ${of}, or sign in to it`,
    description: `${about}Takes a value for each field, by the name of the field.`,
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

const TEST_ABOUT =
  'The form of the draft, for as long as a person listens to it; submissions are shown in the editor. '

/** The hosted page of forms, and the addresses of listeners. */
export const FORM_PAGE_ROUTES: readonly SiteRoute[] = [
  ...pagesAt({ suffix: 'FormPage', path: '/forms/{formToken}', of: 'a form', about: '' }),
  ...pagesAt({
    ...{ suffix: 'TestFormPage', path: '/forms/preview/{formToken}', of: 'a test form' },
    about: TEST_ABOUT,
  }),
  {
    id: 'uploadTestFormFile',
    method: 'post',
    path: '/forms/preview/{formToken}/upload',
    tag: TAG,
    summary: 'Upload a file to a test form',
    description: `${TEST_ABOUT}One file as \`multipart/form-data\`, as the published form takes it.`,
    access: 'visitor',
    params,
    query: { field: { type: 'string', description: 'The name of the file field.' } },
    takesFile: true,
    isData: true,
    responses: {
      201: json('The file, to be named by the submission.', {
        fileId: { type: 'string', format: 'uuid' },
        filename: { type: 'string' },
        sizeBytes: { type: 'integer' },
      }),
      400: { description: 'The query names no file field, or the body is not an upload.' },
      401: { description: 'The form asks for its password, or for the sign-in of a member.' },
      403: { description: notice },
      404: { description: 'No listener has this address.' },
      422: { description: 'The file is not accepted.' },
      429: { description: LIMITED },
    },
  },
  {
    id: 'callTestWebhook',
    method: 'post',
    path: '/trigger-test/{token}',
    tag: 'Test webhooks',
    summary: 'Call the test address of a webhook',
    description:
      'For as long as a person listens to it. The call is authenticated and answered like one of the webhook; it is shown in the editor and starts nothing, so the `executionId` names no run.',
    params: { token: 'The token of the listener.' },
    headers: {
      'x-service-timestamp': 'Unix seconds.',
      'x-service-signature': 'HMAC-SHA256 over `<timestamp>.<body>`, in hex.',
      'x-api-key': 'In place of a signature: a key that may see the workflow.',
    },
    json: {},
    isData: true,
    responses: {
      202: json('The call was accepted.', { executionId: { type: 'string', format: 'uuid' } }),
      400: { description: 'The body is not JSON that the webhook accepts.' },
      401: { description: 'The call could not be authenticated. The editor shows why.' },
      404: { description: 'No listener has this address.' },
      413: { description: 'The body is larger than 1 MB.' },
      429: { description: LIMITED },
    },
  },
]
