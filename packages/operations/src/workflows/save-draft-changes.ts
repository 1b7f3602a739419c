import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowId } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import type { Actor, AuditEntry, Database, SavedDraft } from '@troupe/storage'
import { redact } from '../audit/redact.ts'
import { auditedWorkflow } from './audited-workflow.ts'
import { requireRevision } from './draft-revision.ts'
import { DraftTexts } from './draft-texts.ts'
import { findWorkflow } from './find-workflow.ts'
import { JOINED_SECONDS, joinedChange } from './joined-change.ts'
import type { KeptDrafts } from './kept-drafts.ts'
import { movePins } from './move-pins.ts'
import { type DraftChange, type PatchedDraft, patchDraft, refuseManyPuts } from './patch-draft.ts'
import { draftConflict } from './workflow-errors.ts'

/** A save of the changes of a draft. */
export interface DraftSaveBody {
  draftRevision?: number
  /** A repeated id gets the previous response. */
  changeId?: string
  changes: readonly DraftChange[]
  gesture?: string
}

/** Dependencies of {@link saveDraftChanges}. */
export interface SaveDraftParts {
  database: Pick<Database, 'transaction'>
  /** The drafts saved by this process. */
  drafts: KeptDrafts
}

/**
 * Changes some nodes and edges of a draft. Only the operator may omit the revision.
 *
 * The cost only depends on the changes: only they are compared, measured and audited, and the draft of the last save is
 * cached. Locks the workflow's row but not the organization, because a draft does not prevent agents from being
 * archived. Editors, publishes and archiving therefore do not wait for it.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `forbidden` or `draft_conflict`
 */
export async function saveDraftChanges(
  { database, drafts }: SaveDraftParts,
  scope: Scope,
  actor: Actor,
  workflowId: IdText<WorkflowId>,
  { draftRevision, changeId, changes, gesture }: DraftSaveBody,
): Promise<{ draftRevision: number; savedAt: string; isDraftPublished: boolean }> {
  requireRevision(actor, draftRevision)
  refuseManyPuts(changes)
  const { organizationId } = scope
  type Saved = SavedDraft & { isDraftPublished: boolean; draft?: DraftTexts }
  const saved = await database.transaction(async (tx): Promise<Saved> => {
    const { write, read } = tx
    const kept = drafts.find(organizationId, workflowId)
    const row = { isKept: false, isDraftPublished: false, saved: null as SavedDraft | null }
    const before = await findWorkflow(
      async (_, id) => {
        const locked = await write.workflows.lockDraft(organizationId, id, kept, changeId ?? null)
        row.isKept = locked?.isKnown ?? false
        row.isDraftPublished = locked?.isDraftPublished ?? false
        row.saved = locked?.saved ?? null
        return locked
      },
      scope,
      workflowId,
    )
    const { id, draftRevision: revision } = before
    const { isDraftPublished } = row
    if (row.saved !== null) return { ...row.saved, isDraftPublished }
    // The statement that waited for the lock does not see the save it waited for, but that save has changed the
    // revision.
    const repeated = async () =>
      changeId === undefined ? null : write.workflows.savedChange(organizationId, id, changeId)
    if (draftRevision !== revision) {
      const former = await repeated()
      if (former !== null) return { ...former, isDraftPublished }
      if (draftRevision !== undefined) throw await draftConflict(read, before, draftRevision)
    }
    // A stored draft was validated and completed when it was written.
    const draft = kept && row.isKept ? kept.draft : DraftTexts.of(before.draft as Graph)
    const patched = patchDraft(draft, changes)
    if (!patched.isChanged) return { revision, at: before.updatedAt, isDraftPublished }
    const written = await write.workflows.saveDraft({
      ...{ organizationId, id, revision, triggers: patched.draft.triggers() },
      draft: kept && row.isKept ? patched.draft.writtenOver(kept.draft) : patched.draft.written(),
      ...{ changedNodes: patched.nodes, changes },
      ...{ changeId: changeId ?? null, savedBy: actor, gesture: gesture ?? null },
    })
    if (written === null) {
      const former = await repeated()
      if (former !== null) return { ...former, isDraftPublished }
      // No concurrent save can be the cause, because the row is locked: another program has written the text without a
      // new revision.
      drafts.forget(organizationId, workflowId)
      throw await draftConflict(read, before)
    }
    await movePins(write.pins, { organizationId, id }, patched)
    const entry: AuditEntry = {
      ...{ organizationId, projectId: before.projectId, actor, action: 'workflow.draft_saved' },
      ...{ entityKind: 'workflow', entityId: id },
      before: { ...auditedWorkflow(before), draft: auditedParts(patched, 'before') },
      after: {
        ...auditedWorkflow({ ...before, draftRevision: written.revision }),
        draft: auditedParts(patched, 'after'),
        ...(gesture === undefined ? {} : { gesture }),
      },
    }
    const isJoined = await tx.auditJoins.join(
      entry,
      JOINED_SECONDS,
      (earlier) => joinedChange(earlier, entry),
      written.newestEntry,
    )
    if (!isJoined) await write.audit.append(entry)
    const { newestEntry: _newest, ...result } = written
    return { ...result, draft: patched.draft }
  })
  if (saved.draft) drafts.keep(organizationId, workflowId, { ...saved, draft: saved.draft })
  const { revision, at, isDraftPublished } = saved
  return { draftRevision: revision, savedAt: at.toISOString(), isDraftPublished }
}

function auditedParts({ nodes, edges, expose, moved }: PatchedDraft, side: 'before' | 'after') {
  const partsOf = (list: PatchedDraft['nodes'] | PatchedDraft['edges']) =>
    list.flatMap((one) => (one[side] === null ? [] : [redact(one[side])]))
  return {
    ...{ nodes: partsOf(nodes), edges: partsOf(edges) },
    ...(expose === null ? {} : { expose: expose[side] }),
    ...auditedOrder('nodeOrder', moved.nodes, side),
    ...auditedOrder('edgeOrder', moved.edges, side),
  }
}

/** The places of moved parts, by the ids of the parts in front of them. */
function auditedOrder(
  name: 'nodeOrder' | 'edgeOrder',
  moved: PatchedDraft['moved']['nodes'],
  side: 'before' | 'after',
): object {
  return moved.length === 0
    ? {}
    : { [name]: moved.map(({ id, before, after }) => ({ id, follows: { before, after }[side] })) }
}
