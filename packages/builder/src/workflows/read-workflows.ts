import type { BuilderWorkflow, WorkflowOverviewItem } from '@troupe/builder-contract'
import { toId, type Workflow } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { openFormToken } from '@troupe/operations/forms/form-token'
import { findWorkflow } from '@troupe/operations/workflows/find-workflow'
import { workflowNotFound } from '@troupe/operations/workflows/workflow-errors'
import type { SecretBox } from '@troupe/secrets'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { formUrl } from '../triggers/form-url.ts'
import { countedFrom, presentOverview } from './present-overview.ts'

/** What reading workflows uses. */
export interface ReadWorkflowParts {
  read: Pick<Readers, 'workflows' | 'forms'>
  box: SecretBox
  /** Milliseconds since the epoch. */
  now: () => number
  /** Public base URL of this server, without a trailing slash. */
  publicUrl: string
}

/** The query of a list of workflows. */
export interface ListedWorkflowsQuery {
  page?: number
  limit?: number
  q?: string
  sort?: 'name' | '-updatedAt' | '-createdAt'
  /** A UUID, or `none`. */
  projectId?: string
}

/** One page of workflows; an unknown project has none. */
export async function listOverviews(
  { read, now }: Pick<ReadWorkflowParts, 'read' | 'now'>,
  { organizationId }: BuilderCaller,
  { page = 1, limit = 20, q = '', sort = '-updatedAt', projectId }: ListedWorkflowsQuery,
): Promise<{ data: WorkflowOverviewItem[]; total: number; page: number; limit: number }> {
  const { rows, total } = await read.workflows.overviews(organizationId, {
    q: q === '' ? null : q,
    projectId: projectId === undefined ? null : projectId === 'none' ? 'none' : toId(projectId),
    sort,
    page,
    limit,
    since: countedFrom(now()),
  })
  return { data: rows.map(presentOverview), total, page, limit }
}

/** @throws DomainError `workflow_not_found` */
export async function getBuilderWorkflow(
  { read, box, now, publicUrl }: ReadWorkflowParts,
  caller: BuilderCaller,
  workflowId: string,
): Promise<BuilderWorkflow> {
  const { organizationId } = caller
  const { id, draft } = await findWorkflow(read.workflows.byId, caller, workflowId)
  const [overview, form] = await Promise.all([
    read.workflows.overview(organizationId, id, countedFrom(now())),
    read.forms.settings(organizationId, id),
  ])
  if (!overview) throw workflowNotFound()
  const published = overview.activeDeployment !== null && overview.triggers.includes('form-trigger')
  return {
    ...presentOverview(overview),
    draft: draft as Workflow['draft'],
    form: form && { url: formUrl(publicUrl, openFormToken(box, id, form.tokenSealed)), published },
  }
}
