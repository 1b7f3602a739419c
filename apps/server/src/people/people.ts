import type { MemberRole, OrganizationId, RequestHeaders, UserId } from '@troupe/contract'
import type { OriginCheck } from './same-origin.ts'

/** An active membership. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly role: MemberRole
}

/** Somebody with a session in force. Never kept beyond the request: a suspension counts from the next one on. */
export interface SignedInPerson {
  readonly userId: UserId
  readonly name: string
  /** In lower case. */
  readonly email: string
  /** Active ones only, at most one for each organization; empty for a person who belongs nowhere. */
  readonly memberships: readonly Membership[]
}

/** Who is behind a cookie. API keys are no people. */
export interface People {
  /** The person whose session cookie the request carries; null without a session in force. Reads the database. */
  signedIn(headers: RequestHeaders): Promise<SignedInPerson | null>
  /**
   * Every route that changes something for a cookie calls it first: other sites can make a browser send the cookie, but
   * not with an `Origin` of ours.
   *
   * @throws DomainError `forbidden` when the `Origin` is missing or another one
   */
  requireSameOrigin: OriginCheck
  /** Path of the sign-in page that leads on to `next`, a path of this server; other values lead to the account page. */
  signInPath(next: string): string
}

/** The membership of a person in an organization; null for everybody who is no active member. */
export function membershipIn(
  person: SignedInPerson | null,
  organizationId: OrganizationId,
): Membership | null {
  return person?.memberships.find((one) => one.organizationId === organizationId) ?? null
}
