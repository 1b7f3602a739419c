import type { MemberRole, OrganizationId, RequestHeaders, SignInRowId, UserId } from '@troupe/contract'
import type { OriginCheck } from './same-origin.ts'

/** An active membership. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly role: MemberRole
}

/** A user with a valid session. Never kept beyond the request: a suspension counts from the next one. */
export interface SignedInPerson {
  readonly userId: UserId
  /** The session of the request's cookie. */
  readonly sessionId: SignInRowId
  readonly name: string
  /** In lower case. */
  readonly email: string
  /** Active memberships only, at most one per organization; may be empty. */
  readonly memberships: readonly Membership[]
}

/** Resolves session cookies to users. API keys are not users. */
export interface People {
  /** The user whose session cookie the request carries; null without a valid session. Reads the database. */
  signedIn(headers: RequestHeaders): Promise<SignedInPerson | null>
  /**
   * CSRF check, called first by every cookie-authenticated route that changes something: other sites can make
   * a browser send the cookie, but not with this server's `Origin`.
   *
   * @throws DomainError `forbidden` for a missing or foreign `Origin`
   */
  requireSameOrigin: OriginCheck
  /**
   * Path of the sign-in page that redirects to `next`, a path of this server; any other value redirects to
   * the account page.
   */
  signInPath(next: string): string
}

/** The user's membership in an organization; null when the user is not an active member. */
export function membershipIn(
  person: SignedInPerson | null,
  organizationId: OrganizationId,
): Membership | null {
  return person?.memberships.find((one) => one.organizationId === organizationId) ?? null
}
