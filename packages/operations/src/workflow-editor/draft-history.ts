import { type IdText, parseId, type Workflow, WorkflowId } from '@troupe/contract'
import type { DraftRevision, KeepDraftBody, TimelineEntry } from '@troupe/contract/builder'
import type { Graph } from '@troupe/graph'
import type { Database, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { DraftTexts } from '../workflows/draft-texts.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { type DraftChange, patchDraft } from '../workflows/patch-draft.ts'
import { draftRevisionNotKept, workflowNotFound } from '../workflows/workflow-errors.ts'

/** Default number of entries of a page. */
const USUAL_ENTRIES = 50
/** Maximum saves to combine: a state is kept every 100 revisions. */
const MOST_SAVES = 200
/** Maximum bytes of saves to combine, as they are parsed on the event loop. */
const MOST_BYTES = 8 * 1024 * 1024
const GREATEST_REVISION = 2_147_483_647

/**
 * Versions, snapshots and changes of a draft in one list, newest first.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function listTimeline(
  { workflows, builder }: Pick<Readers, 'workflows' | 'builder'>,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  { after = null, limit = USUAL_ENTRIES }: { after?: string | null; limit?: number },
): Promise<{ data: TimelineEntry[]; next: string | null }> {
  const { id } = await findWorkflow(workflows.byId, caller, workflowId)
  const rows = await builder.draftHistory.timeline(caller.organizationId, id, { after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return {
    data: page.map(({ place, at, since, ...row }) => ({
      ...row,
      at: at.toISOString(),
      since: since.toISOString(),
    })),
    next: rows.length > limit ? (page.at(-1)?.place ?? null) : null,
  }
}

/**
 * The draft at a revision: the newest kept state up to it, with the changes since.
 *
 * @throws DomainError `workflow_not_found`, or `version_not_found` if it is not kept
 */
export async function getDraftRevision(
  { workflows, builder }: Pick<Readers, 'workflows' | 'builder'>,
  caller: BuilderCaller,
  path: { workflowId: IdText<WorkflowId>; revision: string },
): Promise<DraftRevision> {
  const { organizationId } = caller
  const { id, draft, draftRevision } = await findWorkflow(workflows.byId, caller, path.workflowId)
  const revision = /^[1-9]\d{0,9}$/.test(path.revision) ? Number(path.revision) : 0
  if (revision === draftRevision) return { revision, graph: draft as Workflow['draft'] }
  const isPossible = revision >= 1 && revision < draftRevision && revision <= GREATEST_REVISION
  const kept = isPossible ? await builder.draftHistory.snapshot(organizationId, id, revision) : null
  if (kept === null) throw draftRevisionNotKept(path.revision)
  const limit = revision - kept.revision
  if (limit === 0) return { revision, graph: kept.draft as Workflow['draft'] }
  const page = { since: kept.revision, least: 0, limit: Math.min(limit, MOST_SAVES), bytes: MOST_BYTES }
  const found = await builder.workflows.changesSince(organizationId, id, page)
  const rows = found?.rows ?? []
  // There is a gap, or more saves than one response can combine.
  if (rows.length !== limit || rows.at(-1)?.revision !== revision) throw draftRevisionNotKept(path.revision)
  let texts = DraftTexts.of(kept.draft as Graph)
  for (const changes of batchesOf(rows.map((row) => row.changes as DraftChange[]))) {
    texts = patchDraft(texts, changes).draft
  }
  return { revision, graph: texts.graph() as unknown as Workflow['draft'] }
}

/**
 * Groups saves that yield the same draft when applied together. A removal, and a part inserted before another one,
 * depend on the parts at that time, so such a save forms a separate batch. Each batch costs a pass over the draft, and
 * most saves only change settings.
 */
function batchesOf(saves: readonly DraftChange[][]): DraftChange[][] {
  const batches: DraftChange[][] = [[]]
  for (const save of saves) {
    const isOrdered = save.some(({ put, remove }) => remove !== undefined || put?.before !== undefined)
    if (isOrdered) batches.push([...save], [])
    else batches.at(-1)?.push(...save)
  }
  return batches.filter(({ length }) => length > 0)
}

/**
 * Keeps the current state of the stored draft in the timeline.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function keepDraftState(
  { database }: { database: Pick<Database, 'transaction'> },
  { organizationId, actor }: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  { label }: KeepDraftBody,
): Promise<{ revision: number; at: string }> {
  const id = parseId(WorkflowId, workflowId)
  const kept =
    id &&
    (await database.transaction(({ write }) =>
      write.workflows.keepSnapshot({
        ...{ organizationId, id },
        keep: { reason: 'asked', by: actor, label: label?.trim() || null },
      }),
    ))
  if (!kept) throw workflowNotFound()
  return { revision: kept.revision, at: kept.at.toISOString() }
}
