import type { AppliedBundle } from '@troupe/contract'
import type { Actor, Database, Transaction } from '@troupe/database'
import type { ApiKeyCache } from '@troupe/operations/access/api-key-cache'
import type { ConfigChanges } from '@troupe/operations/catalog/config-changes'
import { lockOrganizations } from './apply/lock-organizations.ts'
import { reportOf } from './apply/report.ts'
import { retryConflicts } from './apply/retry-conflicts.ts'
import { writePlan } from './apply/write-plan.ts'
import { changesAnything, type PlanParts, planBundle } from './plan/plan-bundle.ts'
import type { OrganizationPlan } from './plan/plan-organization.ts'
import { BundleError } from './read/problem.ts'
import { readBounded } from './read/read-bounded.ts'
import { type ReadBundle, readBundle } from './read/read-bundle.ts'
import type { Variables } from './read/variables.ts'

/** What applying uses. */
export interface ApplyParts extends PlanParts {
  database: Pick<Database, 'read' | 'transaction'>
  configChanges: ConfigChanges
  apiKeys: Pick<ApiKeyCache, 'forget'>
}

/** A bundle, the variables that it may read, and who applies it. */
export interface BundleSource {
  /** YAML or JSON. */
  text: string
  /** null: `${NAME}` is refused. */
  variables: Variables
  actor: Actor
  /** Read in this thread: at boot and in a command, where nobody waits for anything else. */
  readAtOnce?: boolean
}

/**
 * Creates and updates what a bundle describes, in one transaction. Applying it again writes nothing. What the bundle
 * does not mention is left alone.
 *
 * @throws BundleError with every problem; then nothing was written
 */
export async function applyBundle(parts: ApplyParts, source: BundleSource): Promise<AppliedBundle> {
  const { text, variables, readAtOnce = false } = source
  const bundle = readAtOnce ? readBundle(text, variables) : await readBounded(text, variables)
  const plans = await retryConflicts(async () => {
    const foreseen = await planWithoutLock(parts, bundle)
    return foreseen.some(changesAnything)
      ? parts.database.transaction((tx) => applyPlans(parts, tx, { bundle, foreseen }, source.actor))
      : foreseen
  })
  for (const plan of plans.filter(changesAnything)) tell(parts, plan)
  return reportOf(plans)
}

/**
 * Without a lock, what another process commits between two reads can look like a contradiction. So a problem counts
 * when a second look finds the same.
 */
async function planWithoutLock(parts: ApplyParts, bundle: ReadBundle): Promise<OrganizationPlan[]> {
  let earlier = ''
  for (;;) {
    try {
      return await planBundle(parts, parts.database.read, bundle)
    } catch (error) {
      if (!(error instanceof BundleError)) throw error
      const found = JSON.stringify(error.problems)
      if (found === earlier) throw error
      earlier = found
    }
  }
}

/** Plans again below the locks: what was read before them may have changed. */
async function applyPlans(
  parts: PlanParts,
  tx: Transaction,
  { bundle, foreseen }: { bundle: ReadBundle; foreseen: OrganizationPlan[] },
  actor: Actor,
): Promise<OrganizationPlan[]> {
  const created = await lockOrganizations(tx, foreseen)
  const locked = (await planBundle(parts, tx.read, bundle)).map((plan) =>
    created.has(plan.organization.after.id) ? asCreated(plan) : plan,
  )
  for (const plan of locked) await writePlan(parts, tx, plan, actor)
  return locked
}

function asCreated(plan: OrganizationPlan): OrganizationPlan {
  return { ...plan, organization: { ...plan.organization, before: null, changed: true } }
}

/** This process sees the change with its next read; the others have been told by the writers. */
function tell({ configChanges, apiKeys }: ApplyParts, plan: OrganizationPlan): void {
  for (const { before, after } of plan.apiKeys.filter(({ changed }) => changed)) {
    if (before) apiKeys.forget(before.secretHash)
    apiKeys.forget(after.secretHash)
  }
  configChanges.committed(plan.organization.after.id)
}
