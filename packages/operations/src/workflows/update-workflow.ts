import type { Scope } from '@troupe/agents/ports'
import {
  DomainError,
  type IdText,
  type UpdateWorkflowBody,
  type Workflow,
  type WorkflowId,
} from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import type { Actor, Transaction, WorkflowRecord } from '@troupe/storage'
import { requireShownName } from '../names/require-shown-name.ts'
import { type ChangeWorkflowParts, changeWorkflow, type WorkflowChange } from './change-workflow.ts'
import { checkRevision } from './draft-revision.ts'
import { movePinsOfDraft } from './move-pins.ts'
import { presentWorkflow } from './present-workflow.ts'
import { isSameGraph, readDraft } from './read-draft.ts'
import { draftConflict } from './workflow-errors.ts'

/**
 * Changes the fields present in the body. A draft carries the revision it is based on and replaces the stored
 * draft completely; the published version is unaffected. Only the operator may leave the revision out.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `forbidden` or `draft_conflict`
 */
export async function updateWorkflow(
  parts: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  workflowId: IdText<WorkflowId>,
  body: UpdateWorkflowBody,
): Promise<Workflow> {
  const { name, description, draftRevision } = body
  if (name === undefined && description === undefined && body.draft === undefined) {
    throw refused('body', 'must have at least one of name, description, draft')
  }
  // The operator's last write wins, as in bundles.
  if (body.draft !== undefined && draftRevision === undefined && actor.kind !== 'operator') {
    throw refused('draftRevision', 'is required with a draft')
  }
  const draft = body.draft === undefined ? null : readDraft(body.draft)
  const change = { workflowId, action: 'workflow.updated' } as const
  const after = await changeWorkflow(parts, scope, actor, change, async (before, tx) => {
    requireShownName(name, before)
    await checkRevision(tx, before, draftRevision)
    return writeWorkflow(tx, actor, before, {
      projectId: before.projectId,
      slug: before.slug,
      name: name ?? before.name,
      description: description === undefined ? before.description : description,
      draft: draft ?? (before.draft as Graph),
    })
  })
  return presentWorkflow(after)
}

const WRITTEN_FIELDS = ['projectId', 'slug', 'name', 'description'] as const

/**
 * Writes the changed fields of a locked workflow. If the draft is replaced, both states are kept, because no list of
 * changes contains them.
 */
export async function writeWorkflow(
  { read, write }: Transaction,
  by: Actor,
  before: WorkflowRecord,
  { draft, ...fields }: Pick<WorkflowRecord, (typeof WRITTEN_FIELDS)[number]> & { draft: Graph },
): Promise<WorkflowChange> {
  const { id, organizationId, draftRevision: revision } = before
  const named = WRITTEN_FIELDS.some((key) => fields[key] !== before[key])
  const workflow = named ? await write.workflows.update({ id, organizationId, ...fields }) : before
  if (isSameGraph(before.draft, draft)) return { workflow, changed: named }
  await write.workflows.keepSnapshot({ organizationId, id })
  const written = await write.workflows.updateDraft({ organizationId, id, revision, draft })
  if (!written) throw await draftConflict(read, workflow)
  // A stored draft was validated and completed when it was written.
  await movePinsOfDraft(write.pins, { organizationId, id }, before.draft as Graph, draft)
  await write.workflows.keepSnapshot({ organizationId, id, keep: { reason: 'replaced', by, label: null } })
  return { workflow: written, changed: true }
}

function refused(path: string, message: string): DomainError {
  return new DomainError('validation_error', `${path} ${message}.`, { errors: [{ path, message }] })
}
