import type { RequestHeaders } from '@troupe/contract'

/** How the session is kept in the browser. */
export interface SessionCookie {
  name: string
  /** Only over https. */
  secure: boolean
}

/**
 * `__Host-` binds the cookie to this very host, so that no subdomain can plant one; browsers take it over https only.
 */
export function sessionCookieFor(publicUrl: string): SessionCookie {
  const secure = new URL(publicUrl).protocol === 'https:'
  return { name: secure ? '__Host-troupe_session' : 'troupe_session', secure }
}

/** Whether a request carries the cookie at all: most requests need no look into the database. */
export function hasSessionCookie({ cookie }: RequestHeaders, { name }: SessionCookie): boolean {
  return typeof cookie === 'string' && cookie.includes(`${name}=`)
}
