import type { ProjectId, WorkflowDeploymentId, WorkflowId, WorkflowVersionId } from '@troupe/contract'
import { and, asc, count, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import { workflowDeployments, workflowResources, workflows, workflowVersions } from '../schema/workflows.ts'
import type { Drizzle } from '../sql/drizzle.ts'
import {
  selectWorkflows,
  toWorkflowRecord,
  toWorkflowSummary,
  toWorkflowVersionRecord,
  workflowSummaryColumns,
  workflowVersionColumns,
} from './workflow-record.ts'

export function workflowReader(db: Drizzle): Readers['workflows'] {
  const total = async (counting: PromiseLike<{ total: number }[]>) => (await counting)[0]?.total ?? 0
  return {
    async byId(organizationId, id) {
      const [row] = await selectWorkflows(db).where(
        and(eq(workflows.organizationId, organizationId), eq(workflows.id, id), isNull(workflows.deletedAt)),
      )
      return row ? toWorkflowRecord(row) : null
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
        .offset((filter.page - 1) * filter.limit)
      return {
        rows: rows.map(toWorkflowSummary),
        total: await total(db.select({ total: count() }).from(workflows).where(where)),
      }
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
      )
      const rows = await db
        .select(workflowVersionColumns)
        .from(workflowVersions)
        .innerJoin(workflows, eq(workflows.id, workflowVersions.workflowId))
        .where(where)
        .orderBy(desc(workflowVersions.n))
        .limit(filter.limit)
        .offset((filter.page - 1) * filter.limit)
      return {
        rows: rows.map(toWorkflowVersionRecord),
        total: await total(db.select({ total: count() }).from(workflowVersions).where(where)),
      }
    },
    async versionById(organizationId, versionId) {
      const [row] = await db
        .select({ ...workflowVersionColumns, graph: workflowVersions.graph })
        .from(workflowVersions)
        .innerJoin(workflows, eq(workflows.id, workflowVersions.workflowId))
        .where(and(eq(workflowVersions.organizationId, organizationId), eq(workflowVersions.id, versionId)))
      return row ? { ...toWorkflowVersionRecord(row), graph: row.graph } : null
    },
    async versionGraph(organizationId, versionId) {
      const [row] = await db
        .select({ graph: workflowVersions.graph })
        .from(workflowVersions)
        .where(and(eq(workflowVersions.organizationId, organizationId), eq(workflowVersions.id, versionId)))
      return row?.graph ?? null
    },
    async deployments(organizationId, workflowId, filter) {
      const where = and(
        eq(workflowDeployments.organizationId, organizationId),
        eq(workflowDeployments.workflowId, workflowId),
      )
      const { id, versionId, publishedAt, endedAt } = workflowDeployments
      const rows = await db
        .select({ id, versionId, publishedAt, endedAt, n: workflowVersions.n })
        .from(workflowDeployments)
        .innerJoin(workflowVersions, eq(workflowVersions.id, versionId))
        .where(where)
        .orderBy(desc(publishedAt), desc(workflowVersions.n))
        .limit(filter.limit)
        .offset((filter.page - 1) * filter.limit)
      return {
        rows: rows.map((row) => ({
          ...row,
          id: row.id as WorkflowDeploymentId,
          workflowId,
          versionId: row.versionId as WorkflowVersionId,
        })),
        total: await total(db.select({ total: count() }).from(workflowDeployments).where(where)),
      }
    },
    async publishedWith(organizationId, resource) {
      const rows = await db
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
      return rows.map((row) => ({
        ...row,
        workflowId: row.workflowId as WorkflowId,
        projectId: row.projectId as ProjectId | null,
      }))
    },
  }
}
