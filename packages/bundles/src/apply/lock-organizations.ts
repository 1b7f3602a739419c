import type { OrganizationId } from '@troupe/contract'
import type { Transaction } from '@troupe/storage'
import type { OrganizationPlan } from '../plan/plan-organization.ts'

/**
 * Serialises applies of the same organizations: each organization row is locked until the transaction ends, always in
 * slug order to avoid deadlocks. New organizations are created here; the loser of that race gets a unique violation and
 * retries.
 *
 * @returns the created organizations
 */
export async function lockOrganizations(
  { write }: Transaction,
  plans: readonly OrganizationPlan[],
): Promise<ReadonlySet<OrganizationId>> {
  const created = new Set<OrganizationId>()
  const ordered = plans.toSorted((a, b) => (a.organization.after.slug < b.organization.after.slug ? -1 : 1))
  for (const { organization } of ordered) {
    if ((await write.organizations.lock(organization.after.id)) !== null) continue
    await write.organizations.insert(organization.after)
    created.add(organization.after.id)
  }
  return created
}
