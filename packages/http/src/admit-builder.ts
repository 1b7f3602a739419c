import { DomainError, isUuid, OrganizationId, parseId, roleHas } from '@troupe/contract'
import type { BuilderCaller } from '@troupe/operations/access/builder-caller'
import { membershipIn, type People, type SignedInPerson } from '@troupe/people/people'
import { type Guard, visitorOf } from '@troupe/rate-limits'
import type { Database } from '@troupe/storage'
import type { FastifyRequest } from 'fastify'
import { pathParameter } from './operation-call.ts'

/** Dependencies of the admission to the builder's API. */
export interface BuilderGate {
  people: Pick<People, 'signedIn' | 'requireSameOrigin'>
  guard: Pick<Guard, 'admit'>
  database: { read: Pick<Database['read'], 'organizations'> }
}

/**
 * Admits a member with a session cookie to an operation on the organization in the path. In this order: 403 for a
 * foreign Origin, 401, 429, 404 for an organization without an active membership of the user (exactly as for an
 * unknown one), 403 for a role without the permission.
 *
 * @returns null if the path names no organization: any signed-in user passes
 * @throws DomainError
 */
export async function admitMember(gate: BuilderGate, request: FastifyRequest): Promise<BuilderCaller | null> {
  const person = await admitSignedIn(gate, request)
  const organization = await organizationOf(gate, request)
  if (organization === null) return null
  const membership = membershipIn(person, organization)
  if (!membership) throw noSuchOrganization()
  const { role } = membership
  const needs = request.routeOptions.config.operation?.needs ?? 'decide'
  if (!roleHas(role, needs)) {
    throw new DomainError('forbidden', `This needs the permission "${needs}", which the role ${role} lacks.`)
  }
  const { userId } = person
  const actor = { kind: 'user', id: userId, ip: request.ip, requestId: request.id } as const
  return { organizationId: organization, projectId: null, role, userId, actor }
}

/**
 * The operator as an owner of the organization in the path; the caller has checked the admin token.
 *
 * @returns null if the path names no organization
 * @throws DomainError `organization_not_found`
 */
export async function operatorAsOwner(
  gate: BuilderGate,
  request: FastifyRequest,
): Promise<BuilderCaller | null> {
  const organizationId = await organizationOf(gate, request)
  if (organizationId === null) return null
  if (!(await gate.database.read.organizations.byId(organizationId))) throw noSuchOrganization()
  const actor = { kind: 'operator', id: null, ip: request.ip, requestId: request.id } as const
  return { organizationId, projectId: null, role: 'owner', userId: null, actor }
}

/**
 * The signed-in person behind a request. A change needs this server's `Origin`: other sites can make a browser send its
 * cookie.
 *
 * @throws DomainError `forbidden`, `unauthorized` or `rate_limit_exceeded`
 */
async function admitSignedIn(
  { people, guard }: Omit<BuilderGate, 'database'>,
  request: FastifyRequest,
): Promise<SignedInPerson> {
  if (request.method !== 'GET' && request.method !== 'HEAD') requireOwnPage(people, request)
  const person = await people.signedIn(request.headers)
  if (!person) throw new DomainError('unauthorized', 'Please sign in first.')
  request.person = person
  await guard.admit('builder', visitorOf(request, person.userId))
  return person
}

/** @throws DomainError `forbidden` for a request that was not sent by a page of this server */
export function requireOwnPage(people: Pick<People, 'requireSameOrigin'>, request: FastifyRequest): void {
  people.requireSameOrigin(request)
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin') return
  throw new DomainError('forbidden', 'This request must come from a page of this server.', {
    internal: `Sec-Fetch-Site is ${JSON.stringify(site)}`,
  })
}

/** One query for a slug, none for a UUID; null if the path has no organization. */
async function organizationOf(
  { database }: Pick<BuilderGate, 'database'>,
  request: FastifyRequest,
): Promise<OrganizationId | null> {
  if (request.is404 || !request.routeOptions.url?.includes(':organizationId')) return null
  const given = pathParameter(request, 'organizationId')
  if (isUuid(given)) return parseId(OrganizationId, given)
  const found = await database.read.organizations.bySlug(given)
  if (!found) throw noSuchOrganization()
  return found.id
}

function noSuchOrganization(): DomainError {
  return new DomainError('organization_not_found', 'Organization not found.')
}
