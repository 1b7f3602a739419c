import type { OrganizationId } from '@troupe/contract'
import type { Transaction } from '@troupe/database'
import type { OrganizationPlan } from '../plan/plan-organization.ts'

/**
 * Makes two applies of the same organizations take turns: the row of an organization is locked until the transaction
 * ends, and everybody locks in the order of the slugs. A new organization is created here; whoever loses that race
 * violates a uniqueness and starts again.
 *
 * @returns the organizations that were created
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
