import type { RequestHeaders } from '@troupe/contract'

/** Values of `Set-Cookie` for the answer. */
export type SetCookies = readonly string[]

/** Where a request came from. */
export interface Caller {
  headers: RequestHeaders
  ip: string
}

/** What the pages of people do with sessions. Every method reads and writes the database: nothing is remembered. */
export interface SignIns {
  /**
   * Begins a session, and ends the one that the caller had. null for a wrong password and for an unknown address, which
   * take the same time.
   *
   * @throws RateLimitedError after too many failures
   */
  signIn(caller: Caller, email: string, password: string): Promise<SetCookies | null>
  /** Ends the session of the caller, for every process at once. */
  signOut(caller: Caller): Promise<SetCookies>
  /**
   * Changes the password of the person who is signed in, and ends all other sessions of that person. null when the
   * current password is wrong.
   *
   * @throws RateLimitedError after too many failures
   */
  changePassword(caller: Caller, passwords: { current: string; next: string }): Promise<SetCookies | null>
}
