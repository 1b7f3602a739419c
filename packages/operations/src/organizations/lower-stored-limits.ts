import type { Actor, Database } from '@troupe/storage'
import { organizationEntry } from '../audit/audited-settings.ts'
import type { LimitCeilings } from '../limits/limit-ceilings.ts'

/**
 * Lowers the stored concurrent-run limits of organizations to the operator's ceiling, for those saved before it was
 * set. A start compares with the stored number in one statement, so it is lowered once at boot instead of with each
 * run. Requests per minute need no change: the ceiling is applied to each request.
 *
 * Each organization is locked and read again, so that a concurrent change of another limit is kept.
 *
 * @returns the number of changed organizations
 */
export async function lowerStoredLimits(
  database: Pick<Database, 'read' | 'transaction'>,
  { concurrentRuns: ceiling }: LimitCeilings,
  actor: Actor,
): Promise<number> {
  if (ceiling === null) return 0
  const above = (await database.read.organizations.all()).filter((one) => one.concurrentRuns > ceiling)
  for (const { id: organizationId } of above) {
    await database.transaction(async ({ write }) => {
      const before = await write.organizations.lock(organizationId)
      if (!before || before.concurrentRuns <= ceiling) return
      const after = { ...before, concurrentRuns: ceiling }
      await write.organizations.put(after)
      await write.audit.append(organizationEntry(actor, before, after))
    })
  }
  return above.length
}
