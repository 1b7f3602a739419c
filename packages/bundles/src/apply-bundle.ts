import type { AppliedBundle, BundleWarnings } from '@troupe/contract'
import { type HeavyWork, NOBODY } from '@troupe/heavy-work'
import type { ApiKeyCache } from '@troupe/operations/access/api-key-cache'
import { holdReferences } from '@troupe/operations/agents/hold-references'
import type { ConfigChanges } from '@troupe/operations/catalog/config-changes'
import type { DocumentFiles } from '@troupe/operations/knowledge/documents/document-files'
import type { Actor, Database, OrganizationRecord, Transaction } from '@troupe/storage'
import { lockOrganizations } from './apply/lock-organizations.ts'
import { type PlannedChange, plannedChanges } from './apply/planned-changes.ts'
import { reportOf } from './apply/report.ts'
import { retryConflicts } from './apply/retry-conflicts.ts'
import { withoutHeavyWork } from './apply/without-heavy-work.ts'
import { writePlan } from './apply/write-plan.ts'
import { KeptFiles } from './documents/kept-files.ts'
import { bundleWarnings } from './plan/bundle-warnings.ts'
import { changesAnything, type PlanParts, planBundle } from './plan/plan-bundle.ts'
import type { OrganizationPlan } from './plan/plan-organization.ts'
import type { BundleFolder } from './read/bundle-folder.ts'
import { adoptedOrganization, onlyOrganization } from './read/only-organization.ts'
import { openBundleSkills } from './read/open-bundle-skills.ts'
import { type OpenedBundle, openDocuments } from './read/open-documents.ts'
import { BundleError } from './read/problem.ts'
import { readBounded } from './read/read-bounded.ts'
import { readBundle } from './read/read-bundle.ts'
import type { Variables } from './read/variables.ts'
import type { BundleAuthor } from './resolve/check-author.ts'

/** The dependencies of applying a bundle. */
export interface ApplyParts extends PlanParts {
  database: Pick<Database, 'read' | 'transaction'>
  configChanges: ConfigChanges
  apiKeys: Pick<ApiKeyCache, 'forget'>
  documents: DocumentFiles
  /** Starts the parsing of a long text. */
  heavy: HeavyWork
}

/** A bundle, its variables, and the actor that applies it. */
export interface BundleSource {
  /** YAML or JSON. */
  text: string
  /** null: `${NAME}` is refused. */
  variables: Variables
  actor: Actor
  /** Set for a member: the bundle may describe only this organization. */
  only?: Pick<OrganizationRecord, 'id' | 'slug' | 'name'>
  /** With `only`: the bundle of another organization becomes one of this organization. */
  adopt?: boolean
  /** The folder of the bundle's files; absent: a `path` in it is refused. */
  folder?: BundleFolder
  /** Parse in the calling thread: at boot and in a command, where blocking is harmless. */
  readAtOnce?: boolean
  /** Whether documents at addresses are not read, because a boot must not wait for them. */
  skipsAddresses?: boolean
}

/** The changes that applying a bundle would make, with the settings that have no effect as written. */
export interface PreviewedBundle {
  changes: PlannedChange[]
  warnings: BundleWarnings
}

/**
 * Creates and updates the resources of a bundle in one transaction. Applying is idempotent, and rows that the bundle does not mention are
 * not changed.
 *
 * @throws BundleError with every problem; nothing was written
 */
export async function applyBundle(given: ApplyParts, source: BundleSource): Promise<AppliedBundle> {
  await using bundle = await openBundle(given, source)
  const parts = { ...given, author: authorOf(source) }
  const kept = new KeptFiles(parts.documents)
  const plans = await writeAll({ ...parts, kept }, bundle, source.actor).catch(async (error: unknown) => {
    await kept.end(false)
    throw error
  })
  for (const plan of plans.filter(changesAnything)) tell(parts, plan)
  await kept.end(true)
  const warnings = await bundleWarnings(parts, plans, bundle, source)
  return { ...reportOf(plans), ...(warnings.length > 0 && { warnings }) }
}

/**
 * The changes that applying a bundle would make. Writes nothing.
 *
 * @throws BundleError with every problem
 */
export async function previewBundle(parts: ApplyParts, source: BundleSource): Promise<PreviewedBundle> {
  await using bundle = await openBundle(parts, source)
  const plans = await planWithoutLock({ ...parts, author: authorOf(source) }, bundle)
  return {
    changes: plans.flatMap(plannedChanges),
    warnings: await bundleWarnings(parts, plans, bundle, source),
  }
}

async function openBundle(
  { documents, heavy }: Pick<ApplyParts, 'documents' | 'heavy'>,
  { text, variables, only, adopt = false, folder, readAtOnce = false }: BundleSource,
): Promise<OpenedBundle> {
  const turn = { heavy, owner: only?.id ?? NOBODY }
  const whole = readAtOnce ? readBundle(text, variables) : await readBounded(turn, text, variables)
  const limited = adopt ? adoptedOrganization : onlyOrganization
  const read = only ? limited(whole, only) : whole
  return openDocuments(await openBundleSkills(read, folder ?? null), documents, folder ?? null)
}

function authorOf({ only, actor }: BundleSource): BundleAuthor | null {
  return only ? { organizationId: only.id, actor } : null
}

function writeAll(
  parts: ApplyParts & { kept: KeptFiles },
  bundle: OpenedBundle,
  actor: Actor,
): Promise<OrganizationPlan[]> {
  return retryConflicts(async () => {
    const foreseen = await planWithoutLock(parts, bundle)
    if (!foreseen.some(changesAnything)) return foreseen
    parts.kept.begin()
    return parts.database.transaction((tx) => applyPlans(parts, tx, { bundle, foreseen }, actor))
  })
}

/**
 * Without a lock, a commit between two reads can look like a contradiction. A problem therefore counts only if a second
 * plan finds it too.
 */
async function planWithoutLock(parts: ApplyParts, bundle: OpenedBundle): Promise<OrganizationPlan[]> {
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

/** Plans again under the locks: rows read before locking may have changed. No heavy work is started here. */
async function applyPlans(
  parts: PlanParts & { kept: KeptFiles },
  tx: Transaction,
  { bundle, foreseen }: { bundle: OpenedBundle; foreseen: OrganizationPlan[] },
  actor: Actor,
): Promise<OrganizationPlan[]> {
  const created = await lockOrganizations(tx, foreseen)
  for (const { organization, agents } of foreseen) {
    for (const { after, changed } of agents) {
      if (changed) await holdReferences(tx.write, organization.after.id, after.config)
    }
  }
  const locked = (await planBundle(withoutHeavyWork(parts), tx.read, bundle)).map((plan) =>
    created.has(plan.organization.after.id) ? asCreated(plan) : plan,
  )
  for (const plan of locked) await writePlan(parts, tx, plan, actor)
  return locked
}

function asCreated(plan: OrganizationPlan): OrganizationPlan {
  return { ...plan, organization: { ...plan.organization, before: null, changed: true } }
}

/** This process sees the change on its next read; the writers have notified the other processes. */
function tell({ configChanges, apiKeys }: ApplyParts, plan: OrganizationPlan): void {
  for (const { before, after } of plan.apiKeys.filter(({ changed }) => changed)) {
    if (before) apiKeys.forget(before.secretHash)
    apiKeys.forget(after.secretHash)
  }
  configChanges.committed(plan.organization.after.id)
}
