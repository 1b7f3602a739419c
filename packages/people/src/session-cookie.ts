import type { RequestHeaders } from '@troupe/contract'

/** The attributes of the session cookie. */
export interface SessionCookie {
  name: string
  /** Only over https. */
  secure: boolean
}

/**
 * The prefix `__Host-` binds the cookie to this host, so that no subdomain can plant one; browsers accept it
 * over https only.
 */
export function sessionCookieFor(publicUrl: string): SessionCookie {
  const secure = new URL(publicUrl).protocol === 'https:'
  return { name: secure ? '__Host-troupe_session' : 'troupe_session', secure }
}

/** Whether a request carries the cookie: most requests need no database lookup. */
export function hasSessionCookie({ cookie }: RequestHeaders, { name }: SessionCookie): boolean {
  return typeof cookie === 'string' && cookie.includes(`${name}=`)
}
