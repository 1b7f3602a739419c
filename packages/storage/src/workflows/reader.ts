import { and, asc, count, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import {
  workflowDeployments,
  workflowResources,
  workflows,
  workflowVersions,
} from '../tables/configuration/workflows.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import {
  selectWorkflows,
  toWorkflowRecord,
  toWorkflowSummary,
  toWorkflowVersionRecord,
  versionNumber,
  workflowSummaryColumns,
  workflowVersionColumns,
} from './columns.ts'
import type { WorkflowReader } from './port.ts'

export function workflowReader(db: Drizzle): WorkflowReader {
  return {
    async byId(organizationId, id) {
      const [row] = await selectWorkflows(db).where(
        and(eq(workflows.organizationId, organizationId), eq(workflows.id, id), isNull(workflows.deletedAt)),
      )
      return row ? toWorkflowRecord(row) : null
    },
    async projectsOf(organizationId, ids) {
      if (ids.length === 0) return []
      const isOne = and(eq(workflows.organizationId, organizationId), inArray(workflows.id, [...ids]))
      return db
        .select({ id: workflows.id, projectId: workflows.projectId })
        .from(workflows)
        .where(and(isOne, isNull(workflows.deletedAt)))
    },
    async page(scope, filter) {
      const projectId = scope.projectId ?? filter.projectId
      const where = and(
        eq(workflows.organizationId, scope.organizationId),
        isNull(workflows.deletedAt),
        projectId === null ? undefined : eq(workflows.projectId, projectId),
      )
      const rows = await db
        .select(workflowSummaryColumns)
        .from(workflows)
        .leftJoin(workflowDeployments, eq(workflowDeployments.id, workflows.activeDeploymentId))
        .where(where)
        .orderBy(desc(workflows.createdAt), desc(workflows.id))
        .limit(filter.limit)
        .offset(offsetOf(filter))
      return withTotal(filter, rows.map(toWorkflowSummary), () =>
        db.select({ total: count() }).from(workflows).where(where),
      )
    },
    async list(organizationId) {
      const rows = await selectWorkflows(db)
        .where(
          and(
            eq(workflows.organizationId, organizationId),
            isNotNull(workflows.slug),
            isNull(workflows.deletedAt),
          ),
        )
        .orderBy(asc(workflows.slug))
      return rows.map(toWorkflowRecord)
    },
    async versions(organizationId, workflowId, filter) {
      const where = and(
        eq(workflowVersions.organizationId, organizationId),
        eq(workflowVersions.workflowId, workflowId),
        isNotNull(workflowVersions.n),
      )
      const rows = await db
        .select(workflowVersionColumns)
        .from(workflowVersions)
        .innerJoin(workflows, eq(workflows.id, workflowVersions.workflowId))
        .where(where)
        .orderBy(desc(workflowVersions.n))
        .limit(filter.limit)
        .offset(offsetOf(filter))
      return withTotal(filter, rows.map(toWorkflowVersionRecord), () =>
        db.select({ total: count() }).from(workflowVersions).where(where),
      )
    },
    async versionById(organizationId, versionId) {
      const [row] = await db
        .select({ ...workflowVersionColumns, graph: workflowVersions.graph })
        .from(workflowVersions)
        .innerJoin(workflows, eq(workflows.id, workflowVersions.workflowId))
        .where(
          and(
            eq(workflowVersions.organizationId, organizationId),
            eq(workflowVersions.id, versionId),
            isNotNull(workflowVersions.n),
          ),
        )
      if (!row) return null
      const { graph, ...version } = row
      return { ...toWorkflowVersionRecord(version), graph }
    },
    async versionGraph(organizationId, versionId) {
      const [row] = await db
        .select({ graph: workflowVersions.graph })
        .from(workflowVersions)
        .where(and(eq(workflowVersions.organizationId, organizationId), eq(workflowVersions.id, versionId)))
      return row?.graph ?? null
    },
    async testedGraph(organizationId, versionId) {
      const [row] = await db
        .select({ graph: workflowVersions.graph, isDraft: isNull(workflowVersions.n).mapWith(Boolean) })
        .from(workflowVersions)
        .where(and(eq(workflowVersions.organizationId, organizationId), eq(workflowVersions.id, versionId)))
      return row ?? null
    },
    async deployments(organizationId, workflowId, filter) {
      const where = and(
        eq(workflowDeployments.organizationId, organizationId),
        eq(workflowDeployments.workflowId, workflowId),
      )
      const { id, versionId, publishedAt, endedAt } = workflowDeployments
      const rows = await db
        .select({ id, versionId, publishedAt, endedAt, n: versionNumber })
        .from(workflowDeployments)
        .innerJoin(workflowVersions, eq(workflowVersions.id, versionId))
        .where(where)
        .orderBy(desc(publishedAt), desc(workflowVersions.n))
        .limit(filter.limit)
        .offset(offsetOf(filter))
      const deployments = rows.map((row) => ({ ...row, workflowId }))
      return withTotal(filter, deployments, () =>
        db.select({ total: count() }).from(workflowDeployments).where(where),
      )
    },
    async publishedWith(organizationId, resource) {
      return db
        .select({ workflowId: workflows.id, projectId: workflows.projectId, name: workflows.name })
        .from(workflowResources)
        .innerJoin(workflows, eq(workflows.activeDeploymentId, workflowResources.deploymentId))
        .where(
          and(
            eq(workflowResources.organizationId, organizationId),
            eq(workflowResources.resourceId, resource.id),
            eq(workflowResources.kind, resource.kind),
            eq(workflows.organizationId, organizationId),
          ),
        )
        .orderBy(asc(workflows.name), asc(workflows.id))
    },
  }
}
