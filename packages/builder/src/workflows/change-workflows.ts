import type { BuilderWorkflow, NewWorkflowBody } from '@troupe/builder-contract'
import { asId, DomainError, type UpdateWorkflowBody } from '@troupe/contract'
import { type CreateWorkflowParts, createWorkflow } from '@troupe/operations/workflows/create-workflow'
import { updateWorkflow } from '@troupe/operations/workflows/update-workflow'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type Created, createOnce } from '../access/create-once.ts'
import { getBuilderWorkflow, type ReadWorkflowParts } from './read-workflows.ts'

/** What changing workflows uses. */
export interface ChangeWorkflowsParts extends ReadWorkflowParts, CreateWorkflowParts {}

/** @throws DomainError `validation_error`, `project_not_found` or `id_taken` */
export async function createBuilderWorkflow(
  parts: ChangeWorkflowsParts,
  caller: BuilderCaller,
  { id: given, ...body }: NewWorkflowBody,
): Promise<Created<BuilderWorkflow>> {
  const id = given === undefined ? parts.newId() : asId(given.toLowerCase())
  return createOnce(
    () => (given === undefined ? Promise.resolve(null) : findExisting(parts, caller, id)),
    async () => {
      await createWorkflow(parts, caller, caller.actor, { ...body, id })
      return getBuilderWorkflow(parts, caller, id)
    },
  )
}

async function findExisting(
  parts: ReadWorkflowParts,
  caller: BuilderCaller,
  id: string,
): Promise<BuilderWorkflow | null> {
  try {
    return await getBuilderWorkflow(parts, caller, id)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'workflow_not_found') return null
    throw error
  }
}

/** @throws DomainError `validation_error`, `workflow_not_found` or `draft_conflict` */
export async function updateBuilderWorkflow(
  parts: ChangeWorkflowsParts,
  caller: BuilderCaller,
  workflowId: string,
  body: UpdateWorkflowBody,
): Promise<BuilderWorkflow> {
  await updateWorkflow(parts, caller, caller.actor, workflowId, body)
  return getBuilderWorkflow(parts, caller, workflowId)
}
