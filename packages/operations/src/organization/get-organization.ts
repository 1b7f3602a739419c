import { DomainError } from '@troupe/contract'
import type { Organization } from '@troupe/contract/builder'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { presentOrganization } from './present-organization.ts'

/** @throws DomainError `organization_not_found` if it was removed meanwhile */
export async function getOrganization(
  { organizations, builder }: Pick<Readers, 'organizations' | 'builder'>,
  { organizationId }: BuilderCaller,
): Promise<Organization> {
  const [found, inFlight] = await Promise.all([
    organizations.byId(organizationId),
    builder.organizations.runsInFlight(organizationId),
  ])
  if (!found) throw organizationGone()
  return presentOrganization(found, inFlight)
}

/** The organization was removed after the request was admitted. */
export function organizationGone(): DomainError {
  return new DomainError('organization_not_found', 'Organization not found.')
}
