import type { IdText, Workflow, WorkflowId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { SecretBox } from '@troupe/secrets'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { openFormToken } from '../forms/form-token.ts'
import { formUrl } from '../triggers/form-url.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { workflowNotFound } from '../workflows/workflow-errors.ts'
import { presentOverview } from './present-overview.ts'

/** Dependencies of presenting a workflow. */
export interface GetWorkflowParts {
  box: SecretBox
  /** Public base URL of this server, without a trailing slash. */
  publicUrl: string
}

/** @throws DomainError `workflow_not_found` */
export async function getWorkflow(
  { box, publicUrl }: GetWorkflowParts,
  read: Pick<Readers, 'workflows' | 'forms' | 'builder'>,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<BuilderWorkflow> {
  const { organizationId } = caller
  const { id, name, description, draft, draftRevision } = await findWorkflow(
    read.workflows.byId,
    caller,
    workflowId,
  )
  const [row, form] = await Promise.all([
    read.builder.workflows.byId(organizationId, id),
    read.forms.settings(organizationId, id),
  ])
  if (!row) throw workflowNotFound()
  const published = row.deploymentId !== null && row.triggers.includes('form-trigger')
  return {
    ...presentOverview(row),
    // Both come from one snapshot: with an older draft under a newer revision, the editor would overwrite the saves in
    // between.
    ...{ name, description, draftRevision },
    draft: draft as Workflow['draft'],
    form: form && { url: formUrl(publicUrl, openFormToken(box, id, form.tokenSealed)), published },
  }
}
