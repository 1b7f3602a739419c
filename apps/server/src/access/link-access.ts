import type { OrganizationId } from '@troupe/contract'
import { isTokenOf } from '@troupe/operations/decision-links/decision-links'
import { membershipIn, type People, type SignedInPerson } from '@troupe/people/people'
import type { FastifyRequest } from 'fastify'

/** The stored side of a link; `hash` is null for a question without one. */
export interface StoredLink {
  organizationId: OrganizationId
  hash: string | null
}

/** The outcome of an admission check for a question that members and holders of its link may decide. */
export type LinkAdmission =
  /** No such question for this visitor, or an invalid link. */
  | { kind: 'not_found' }
  | { kind: 'sign_in_required' }
  | {
      kind: 'admitted'
      /** null for a visitor who is not a signed-in member of its organization. */
      member: { person: SignedInPerson; role: SignedInPerson['memberships'][number]['role'] } | null
      /** The link's, posted back by the form; null for a visitor admitted by a session only. */
      token: string | null
    }

/**
 * Admits an active member of the organization by session, any other visitor by link. Viewing never changes anything, so
 * link scanners cannot decide.
 *
 * @param link null for an unknown question
 * @param token the link's token; '' without one
 */
export async function admitByLink(
  people: Pick<People, 'signedIn'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  link: StoredLink | null,
  token: string,
): Promise<LinkAdmission> {
  const hasLink = token !== '' && link?.hash != null && isTokenOf(token, link.hash)
  const person = await people.signedIn(headers)
  // The same response for existing and unknown questions.
  if (!person && token === '') return { kind: 'sign_in_required' }
  const membership = link && membershipIn(person, link.organizationId)
  if (!link || (!hasLink && !membership)) return { kind: 'not_found' }
  const member = person && membership ? { person, role: membership.role } : null
  return { kind: 'admitted', member, token: hasLink ? token : null }
}
