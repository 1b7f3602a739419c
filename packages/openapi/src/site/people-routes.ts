import { FOREIGN_ORIGIN, LIMITED, page, redirect, type SiteRoute } from './site-route.ts'

const TAG = 'Account pages'
const params = { token: 'The token of the invitation.' }
const text = { type: 'string' }
const invitationGone = page('The invitation was accepted, was withdrawn or has expired.')
const LINK_GONE = 'The link was used or has expired.'
const signIn = redirect('To the sign-in page.')

/** Signing in and out, invitations and the account. */
export const PEOPLE_ROUTES: readonly SiteRoute[] = [
  {
    id: 'openSignInPage',
    method: 'get',
    path: '/sign-in',
    tag: TAG,
    summary: 'Open the sign-in page',
    access: 'visitor',
    query: {
      next: { type: 'string', description: 'Path of this server to continue with.' },
      signed: { type: 'string', description: '`out`: after signing out.' },
      password: { type: 'string', description: '`reset`: after choosing a new password.' },
    },
    responses: { 200: page('The sign-in page.'), 303: redirect('A signed-in person continues.') },
  },
  {
    id: 'signIn',
    method: 'post',
    path: '/sign-in',
    tag: TAG,
    summary: 'Sign in',
    form: { email: text, password: text, next: text },
    responses: {
      303: redirect('The person is signed in; the cookie is set.'),
      401: page('The e-mail address or the password is wrong.'),
      403: FOREIGN_ORIGIN,
      429: page(LIMITED),
    },
  },
  {
    id: 'signOut',
    method: 'post',
    path: '/sign-out',
    tag: TAG,
    summary: 'Sign out',
    form: {},
    responses: { 303: signIn, 403: FOREIGN_ORIGIN },
  },
  {
    id: 'openInvitation',
    method: 'get',
    path: '/invitations/{token}',
    tag: TAG,
    summary: 'Open an invitation',
    access: 'visitor',
    params,
    responses: { 200: page('The invitation.'), 404: invitationGone, 429: page(LIMITED) },
  },
  {
    id: 'acceptInvitation',
    method: 'post',
    path: '/invitations/{token}',
    tag: TAG,
    summary: 'Accept an invitation',
    access: 'visitor',
    params,
    form: { name: text, password: text },
    responses: {
      303: redirect('To the account, or to the sign-in page when the address has an account.'),
      400: page('The invitation again, with what is wrong.'),
      403: page('The request comes from another site, or the invitation is for somebody else.'),
      404: invitationGone,
      409: page('The address has an account since, or the person is a member already.'),
      429: page(LIMITED),
    },
  },
  {
    id: 'openPasswordReset',
    method: 'get',
    path: '/reset-password',
    tag: TAG,
    summary: 'Open the page that sends a link for a new password',
    query: { link: { type: 'string', description: '`sent`: after the request.' } },
    responses: { 200: page('The page.') },
  },
  {
    id: 'requestPasswordReset',
    method: 'post',
    path: '/reset-password',
    tag: TAG,
    summary: 'Send a link for a new password',
    form: { email: text },
    responses: {
      303: redirect('To the page that says so, whether the address has an account or not.'),
      403: FOREIGN_ORIGIN,
      429: page(LIMITED),
    },
  },
  {
    id: 'openNewPassword',
    method: 'get',
    path: '/reset-password/{token}',
    tag: TAG,
    summary: 'Open the link for a new password',
    params: { token: 'The token of the link.' },
    responses: { 200: page('The page for the new password.'), 404: page(LINK_GONE), 429: page(LIMITED) },
  },
  {
    id: 'resetPassword',
    method: 'post',
    path: '/reset-password/{token}',
    tag: TAG,
    summary: 'Choose a new password',
    params: { token: 'The token of the link.' },
    form: { password: text },
    responses: {
      303: redirect('To the sign-in page.'),
      400: page('The page again, with what is wrong.'),
      403: FOREIGN_ORIGIN,
      404: page(LINK_GONE),
      429: page(LIMITED),
    },
  },
  {
    id: 'openAccount',
    method: 'get',
    path: '/account',
    tag: TAG,
    summary: 'Open the account',
    access: 'person',
    query: { password: { type: 'string', description: '`changed`: after a change.' } },
    responses: { 200: page('The account.'), 303: signIn },
  },
  {
    id: 'changePassword',
    method: 'post',
    path: '/account',
    tag: TAG,
    summary: 'Change the password',
    access: 'person',
    form: { current: text, next: text },
    responses: {
      303: redirect('The password is changed; or to the sign-in page.'),
      400: page('The account again, with what is wrong.'),
      403: FOREIGN_ORIGIN,
      429: page(LIMITED),
    },
  },
]
