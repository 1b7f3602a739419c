import type { RequestHeaders, UserId } from '@troupe/contract'

/** Values of `Set-Cookie` for the response. */
export type SetCookies = readonly string[]

/** The sender of a request. */
export interface Caller {
  headers: RequestHeaders
  ip: string
  /** The peer and what trusted proxies reported; absent without trusted proxies. */
  ips?: readonly string[] | undefined
}

/** Session operations of the sign-in pages. Every method reads and writes the database; nothing is cached. */
export interface SignIns {
  /**
   * Starts a session and ends the caller's previous one. null for a wrong password and for an unknown
   * address, in the same time.
   *
   * @throws RateLimitedError after too many failures
   */
  signIn(caller: Caller, email: string, password: string): Promise<SetCookies | null>
  /** Starts a session of a user who was authenticated by other means. @throws Error when there is no such user */
  start(caller: Caller, userId: UserId): Promise<SetCookies>
  /** Ends the caller's session in every process. */
  signOut(caller: Caller): Promise<SetCookies>
  /**
   * Changes the password of the signed-in user and ends all other sessions of that user. null when the
   * current password is wrong.
   *
   * @throws RateLimitedError after too many failures
   */
  changePassword(caller: Caller, passwords: { current: string; next: string }): Promise<SetCookies | null>
}
