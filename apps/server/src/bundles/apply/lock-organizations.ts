import type { OrganizationId } from '@troupe/contract'
import type { Transaction } from '@troupe/database'
import type { OrganizationPlan } from '../plan/plan-organization.ts'

/**
 * Makes two applies of the same organizations take turns: a write to the row of an organization lasts until the
 * transaction ends, and everybody locks in the order of the slugs. A new organization is created here; whoever loses
 * that race violates the uniqueness of the slug and starts again.
 *
 * @returns the organizations that were created
 */
export async function lockOrganizations(
  { read, write }: Transaction,
  plans: readonly OrganizationPlan[],
): Promise<ReadonlySet<OrganizationId>> {
  const created = new Set<OrganizationId>()
  const ordered = plans.toSorted((a, b) => (a.organization.after.slug < b.organization.after.slug ? -1 : 1))
  for (const { organization } of ordered) {
    const stored = await read.organizations.byId(organization.after.id)
    if (stored === null) created.add(organization.after.id)
    await write.organizations.put(stored ?? organization.after)
  }
  return created
}
