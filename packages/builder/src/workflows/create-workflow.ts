import type { BuilderWorkflow, NewWorkflowBody } from '@troupe/builder-contract'
import { asId } from '@troupe/contract'
import type { Database } from '@troupe/database'
import {
  type CreateWorkflowParts,
  createWorkflow as createWithId,
} from '@troupe/operations/workflows/create-workflow'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { Unchanged } from '../handling/handler.ts'
import { type GetWorkflowParts, getWorkflow } from './get-workflow.ts'

/** What the operation uses. */
export interface NewWorkflowParts extends CreateWorkflowParts, GetWorkflowParts {
  database: Pick<Database, 'read' | 'transaction'>
}

/** @throws DomainError `validation_error`, `project_not_found` or `id_taken` */
export async function createWorkflow(
  parts: NewWorkflowParts,
  caller: BuilderCaller,
  { id: given, ...body }: NewWorkflowBody,
): Promise<BuilderWorkflow | Unchanged<BuilderWorkflow>> {
  const { read } = parts.database
  const id = given === undefined ? parts.newId() : asId(given.toLowerCase())
  const isThere = async () =>
    given !== undefined && (await read.workflows.byId(caller.organizationId, id)) !== null
  const present = () => getWorkflow(parts, read, caller, id)
  if (await isThere()) return new Unchanged(await present())
  try {
    await namingTaken(createWithId(parts, caller, caller.actor, { ...body, id }))
  } catch (error) {
    // The same request may have committed meanwhile.
    if (await isThere()) return new Unchanged(await present())
    throw error
  }
  return present()
}
