import type { Scope } from '@troupe/agents/ports'
import type { Actor } from '@troupe/database'
import type { Graph } from '@troupe/graph'
import { type ChangeWorkflowParts, changeWorkflow } from './change-workflow.ts'
import { checkRevision, requireRevision } from './draft-revision.ts'
import { type DraftChange, patchDraft } from './patch-draft.ts'
import { writeWorkflow } from './update-workflow.ts'

/** Saves of one person within this time are one entry of the audit log. */
const JOINED_SECONDS = 300

/**
 * Changes some nodes and edges of a draft. Only the operator may leave the revision out.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `forbidden` or `draft_conflict`
 */
export async function saveDraftChanges(
  parts: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  workflowId: string,
  body: { draftRevision?: number; changes: readonly DraftChange[]; gesture?: string },
): Promise<{ draftRevision: number; savedAt: string }> {
  const { draftRevision: revision, changes, gesture } = body
  requireRevision(actor, revision)
  const change = { workflowId, action: 'workflow.draft_saved', joinsWithin: JOINED_SECONDS } as const
  const { draftRevision, updatedAt } = await changeWorkflow(
    parts,
    scope,
    actor,
    { ...change, ...(gesture !== undefined && { gesture }) },
    async (before, tx) => {
      await checkRevision(tx, before, revision)
      const { projectId, slug, name, description } = before
      // A stored draft was checked and completed when it was written.
      const draft = patchDraft(before.draft as Graph, changes)
      return writeWorkflow(tx, before, { projectId, slug, name, description, draft })
    },
  )
  return { draftRevision, savedAt: updatedAt.toISOString() }
}
