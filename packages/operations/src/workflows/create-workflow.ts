import type { Scope } from '@troupe/agents/ports'
import type { AnyId, CreateWorkflowBody, Workflow } from '@troupe/contract'
import type { Actor } from '@troupe/database'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { auditedChange } from './audited-workflow.ts'
import type { ChangeWorkflowParts } from './change-workflow.ts'
import { presentWorkflow } from './present-workflow.ts'
import { EMPTY_GRAPH, readDraft } from './read-draft.ts'

/** What the operation uses. */
export interface CreateWorkflowParts extends ChangeWorkflowParts {
  newId: () => AnyId
}

/**
 * Creates a workflow that is not published, with the given id or a new one. A project scope always creates in its own
 * project.
 *
 * @throws DomainError `validation_error` or `project_not_found`; SqlError 23505 when the given id is taken
 */
export async function createWorkflow(
  { database, configChanges, newId }: CreateWorkflowParts,
  scope: Scope,
  actor: Actor,
  body: CreateWorkflowBody & { id?: AnyId },
): Promise<Workflow> {
  const draft = readDraft(body.draft ?? EMPTY_GRAPH)
  const { organizationId } = scope
  const projectId = requestedProject(scope, body.projectId)
  const workflow = await database.transaction(async ({ read, write }) => {
    await requireProject(read, organizationId, projectId)
    const created = await write.workflows.insert({
      id: body.id ?? newId(),
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
