import type { Scope } from '@troupe/agents/ports'
import { type CreateWorkflowBody, type NewId, type Workflow, WorkflowId } from '@troupe/contract'
import type { Actor } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { requireOwnId } from '../catalog/id-taken.ts'
import { auditedChange } from './audited-workflow.ts'
import type { ChangeWorkflowParts } from './change-workflow.ts'
import { presentWorkflow } from './present-workflow.ts'
import { EMPTY_GRAPH, readDraft } from './read-draft.ts'

/** Dependencies of the operation. */
export interface CreateWorkflowParts extends ChangeWorkflowParts {
  newId: NewId
}

/**
 * Creates a workflow that is not published, with the given id or a new one. A project scope always creates in its own
 * project.
 *
 * @throws DomainError `validation_error`, `id_taken` or `project_not_found`; SqlError 23505 when the given id is taken
 */
export async function createWorkflow(
  { database, configChanges, newId }: CreateWorkflowParts,
  scope: Scope,
  actor: Actor,
  body: CreateWorkflowBody & { id?: WorkflowId },
): Promise<Workflow> {
  const draft = readDraft(body.draft ?? EMPTY_GRAPH)
  const { organizationId } = scope
  const projectId = requestedProject(scope, body.projectId)
  const id: WorkflowId = body.id ?? newId(WorkflowId)
  const workflow = await database.transaction(async ({ read, write }) => {
    // The organization is held because bundles, which write rows under given ids, lock it. Of two workflows with one
    // id, the second violates the table's constraint.
    await write.organizations.hold(organizationId)
    await requireOwnId({ read, write }, 'workflow', { organizationId, id })
    await requireProject(read, organizationId, projectId)
    const created = await write.workflows.insert({
      id,
      organizationId,
      projectId,
      slug: null,
      name: body.name,
      description: body.description ?? null,
      draft,
    })
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'workflow.created',
      entityKind: 'workflow',
      entityId: created.id,
      ...auditedChange(null, created),
    })
    return created
  })
  configChanges.committed(organizationId)
  return presentWorkflow(workflow)
}
