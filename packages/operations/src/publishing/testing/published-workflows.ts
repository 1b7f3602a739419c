import type { DomainError, IdText, ProjectId, PublishWorkflowBody, Workflow } from '@troupe/contract'
import { BUILDER, type Teams } from '../../teams/testing/open-teams.ts'
import { createWorkflow } from '../../workflows/create-workflow.ts'
import { listWorkflowVersions } from '../../workflows/list-workflow-versions.ts'
import { updateWorkflow } from '../../workflows/update-workflow.ts'
import { publishWorkflow } from '../publish-workflow.ts'

/** Shared helpers for tests of publishing. */
export function publishing(teams: Teams) {
  const { parts, scope } = teams
  return {
    /** Creates a workflow with a draft and discards the audit row of its creation. */
    async create(
      draft: object,
      projectId: IdText<ProjectId> | null = null,
      name = 'Triage',
    ): Promise<string> {
      const body = { name, projectId, draft: draft as Record<string, unknown> }
      const { workflowId } = await createWorkflow(parts, scope, BUILDER, body)
      teams.audited()
      parts.told.length = 0
      return workflowId
    },
    publish: (id: string, body: PublishWorkflowBody = {}, as = scope) =>
      publishWorkflow(parts, as, BUILDER, id, body),
    save(id: string, draft: object, draftRevision: number): Promise<Workflow> {
      const body = { draft: draft as Record<string, unknown>, draftRevision }
      return updateWorkflow(parts, scope, BUILDER, id, body)
    },
    versions: (id: string, as = scope) => listWorkflowVersions(parts.database.read, as, id),
  }
}

/** The code of a refusal, and every failure with its path. */
export async function refusal(attempt: Promise<unknown>): Promise<string[]> {
  const { code, errors } = (await attempt.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => error,
  )) as DomainError
  return [code, ...(errors ?? []).map(({ path, message }) => `${path} ${message}`)]
}
