import { checkedId, WorkflowId } from '@troupe/contract'
import type { BuilderWorkflow, NewWorkflowBody } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { createOnce } from '../changes/create-once.ts'
import { Unchanged } from '../handlers/handler.ts'
import { type CreateWorkflowParts, createWorkflow } from '../workflows/create-workflow.ts'
import { type GetWorkflowParts, getWorkflow } from './get-workflow.ts'

/** Dependencies of the operation. */
export interface NewWorkflowParts extends CreateWorkflowParts, GetWorkflowParts {
  database: Pick<Database, 'read' | 'transaction'>
}

/** @throws DomainError `validation_error`, `project_not_found` or `id_taken` */
export async function createBuilderWorkflow(
  parts: NewWorkflowParts,
  caller: BuilderCaller,
  { id: given, ...body }: NewWorkflowBody,
): Promise<BuilderWorkflow | Unchanged<BuilderWorkflow>> {
  const { read } = parts.database
  const id = given === undefined ? parts.newId(WorkflowId) : checkedId(WorkflowId, given.toLowerCase())
  const present = () => getWorkflow(parts, read, caller, id)
  const { value, created } = await createOnce(
    async () => {
      const isThere = given !== undefined && (await read.workflows.byId(caller.organizationId, id)) !== null
      return isThere ? present() : null
    },
    async () => {
      await createWorkflow(parts, caller, caller.actor, { ...body, id })
      return present()
    },
  )
  return created ? value : new Unchanged(value)
}
