import type { Organization } from '@troupe/builder-contract'
import { DomainError } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** @throws DomainError `organization_not_found` when it was removed meanwhile */
export async function getOrganization(
  { organizations }: Pick<Readers, 'organizations'>,
  { organizationId }: BuilderCaller,
): Promise<Organization> {
  const found = await organizations.byId(organizationId)
  if (!found) throw new DomainError('organization_not_found', 'There is no such organization.')
  const { slug, name, rpm, concurrentRuns, traceDays, runDays } = found
  return { organizationId, slug, name, limits: { rpm, concurrentRuns, traceDays, runDays } }
}
