import {
  DraftKeepId,
  newId,
  type OrganizationId,
  WorkflowDeploymentId,
  type WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { draftReferences } from '../config-references/draft-references.ts'
import { writeReferences } from '../config-references/write-references.ts'
import { text } from '../sql/client/columns.ts'
import { storableText } from '../sql/client/storable.ts'
import { workflowListeners } from '../tables/configuration/listeners.ts'
import {
  workflowDeployments,
  workflowDraftKeeps,
  workflowDraftSnapshots,
  workflowResources,
  workflows,
  workflowVersions,
} from '../tables/configuration/workflows.ts'
import { expression } from '../tables/drizzle/expression.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { selectWorkflows, toWorkflowRecord } from './columns.ts'
import { graphHash } from './graph-hash.ts'
import type { WorkflowRecord, WorkflowWriter } from './port.ts'
import { draftSaves } from './save-draft.ts'
import { triggerTypesOf } from './trigger-types.ts'

export function workflowWriter(context: WriteContext): WorkflowWriter {
  const { db, signal } = context
  const identified = (organizationId: OrganizationId, id: WorkflowId) =>
    and(eq(workflows.organizationId, organizationId), eq(workflows.id, id), isNull(workflows.deletedAt))

  const read = async (organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord> => {
    const rows = await selectWorkflows(db).where(identified(organizationId, id))
    return toWorkflowRecord(onlyRow(rows, `workflow ${id} in this organization`))
  }

  /** Updates the row, which also locks it; null if there is none. */
  const change = async (
    organizationId: OrganizationId,
    id: WorkflowId,
    set: PgUpdateSetSource<typeof workflows>,
    also?: SQL,
  ): Promise<{ versionNumber: number } | null> => {
    const [row] = await db
      .update(workflows)
      .set({ ...set, updatedAt: sql`now()` })
      .where(and(identified(organizationId, id), also))
      .returning({ versionNumber: workflows.versionNumber })
    if (row) signal({ kind: 'config_changed', organizationId })
    return row ?? null
  }

  const refer = (organizationId: OrganizationId, id: WorkflowId, draft: unknown) =>
    writeReferences(db, { organizationId, kind: 'workflow', id }, draftReferences(draft))

  const existing = <Row>(row: Row | null, id: WorkflowId): Row =>
    onlyRow(row === null ? [] : [row], `workflow ${id} in this organization`)

  /** Agents of an ended deployment may be archived again. */
  const endDeployment = async (organizationId: OrganizationId, workflowId: WorkflowId) => {
    const ended = await db
      .update(workflowDeployments)
      .set({ endedAt: sql`now()` })
      .where(
        and(
          eq(workflowDeployments.organizationId, organizationId),
          eq(workflowDeployments.workflowId, workflowId),
          isNull(workflowDeployments.endedAt),
        ),
      )
      .returning({ id: workflowDeployments.id })
    for (const { id } of ended) {
      await db.delete(workflowResources).where(eq(workflowResources.deploymentId, id))
    }
  }

  return {
    ...draftSaves(context),
    async lock(organizationId, id) {
      const [locked] = await db
        .select({ id: workflows.id })
        .from(workflows)
        .where(identified(organizationId, id))
        .for('update')
      // A separate statement: a statement that waited for a publish would join the deployments from before it.
      return locked ? read(organizationId, id) : null
    },
    async keepSnapshot({ organizationId, id, keep }) {
      const [row] = await db
        .insert(workflowDraftSnapshots)
        // Columns in table order.
        .select(sql`
          select w.organization_id, w.id, w.draft_revision, w.draft, octet_length(w.draft::text), now()
          from workflows w
          where w.organization_id = ${organizationId}::uuid and w.id = ${id}::uuid and w.deleted_at is null`)
        .onConflictDoUpdate({
          target: [workflowDraftSnapshots.workflowId, workflowDraftSnapshots.revision],
          set: { at: sql`excluded.at` },
          setWhere: sql`${keep !== undefined}::boolean`,
        })
        .returning({ revision: workflowDraftSnapshots.revision, at: workflowDraftSnapshots.at })
      if (!row || !keep) return row ?? null
      // Two races are harmless here. The previous statement has locked the state and renewed its time, so the sweep for
      // old states cannot delete it before this row is committed. And this row has its own id, so another person who
      // keeps the same revision does not overwrite it.
      const label = keep.label === null ? null : storableText(keep.label)
      await db.insert(workflowDraftKeeps).values({
        ...{
          id: newId(DraftKeepId),
          organizationId,
          workflowId: id,
          revision: row.revision,
          reason: keep.reason,
        },
        ...{ actorKind: keep.by.kind, actorId: keep.by.id, label, at: row.at },
      })
      return row
    },
    async insert({ id, organizationId, projectId, slug, name, description, draft }) {
      await db.insert(workflows).values({
        id,
        organizationId,
        projectId,
        slug,
        name,
        description,
        draft,
        draftHash: graphHash(draft),
        draftTriggers: triggerTypesOf(draft),
        draftRevision: 1,
        versionNumber: 0,
      })
      await refer(organizationId, id, draft)
      signal({ kind: 'config_changed', organizationId })
      return read(organizationId, id)
    },
    async update({ id, organizationId, projectId, slug, name, description }) {
      existing(await change(organizationId, id, { projectId, slug, name, description }), id)
      return read(organizationId, id)
    },
    async updateDraft({ organizationId, id, revision, draft }) {
      const set = {
        draft,
        draftHash: graphHash(draft),
        draftTriggers: triggerTypesOf(draft),
        draftRevision: sql`${workflows.draftRevision} + 1`,
      }
      const changed = await change(organizationId, id, set, eq(workflows.draftRevision, revision))
      if (changed === null) return null
      await refer(organizationId, id, draft)
      return read(organizationId, id)
    },
    async publish({ organizationId, id, graph, resources, createdBy, label, note }) {
      const [versionId, deploymentId] = [newId(WorkflowVersionId), newId(WorkflowDeploymentId)]
      const set = {
        activeDeploymentId: deploymentId,
        versionNumber: sql`${workflows.versionNumber} + 1`,
      }
      const { versionNumber: n } = existing(await change(organizationId, id, set), id)
      await db.insert(workflowVersions).values({
        id: versionId,
        organizationId,
        workflowId: id,
        n,
        graph,
        graphHash: graphHash(graph),
        triggers: triggerTypesOf(graph),
        label: label ?? null,
        note: note ?? null,
        createdByKind: createdBy.kind,
        createdById: createdBy.id,
      })
      await endDeployment(organizationId, id)
      await db
        .insert(workflowDeployments)
        .values({ id: deploymentId, organizationId, workflowId: id, versionId })
      if (resources.length > 0) {
        await db
          .insert(workflowResources)
          .values(
            resources.map(({ kind, id: resourceId }) => ({ organizationId, deploymentId, kind, resourceId })),
          )
      }
      return read(organizationId, id)
    },
    async keepDraft({ organizationId, id, graph, contentHash, createdBy }) {
      const rows = await db
        .insert(workflowVersions)
        .values({
          id: newId(WorkflowVersionId),
          organizationId,
          workflowId: id,
          n: null,
          contentHash,
          graph,
          graphHash: graphHash(graph),
          triggers: triggerTypesOf(graph),
          createdByKind: createdBy.kind,
          createdById: createdBy.id,
        })
        .onConflictDoUpdate({
          target: [workflowVersions.workflowId, workflowVersions.contentHash],
          set: { createdAt: sql`now()` },
        })
        .returning({ id: workflowVersions.id })
      return onlyRow(rows, 'version').id
    },
    async describeVersion({ organizationId, id, versionId, label, note }) {
      const [row] = await db
        .update(workflowVersions)
        // Drizzle omits undefined fields; `id` keeps the statement valid if both are absent.
        .set({ id: versionId, label, note })
        .where(
          and(
            eq(workflowVersions.organizationId, organizationId),
            eq(workflowVersions.workflowId, id),
            eq(workflowVersions.id, versionId),
            isNotNull(workflowVersions.n),
          ),
        )
        .returning({ id: workflowVersions.id })
      return row ? true : null
    },
    async unpublish(organizationId, id) {
      existing(await change(organizationId, id, { activeDeploymentId: null }), id)
      await endDeployment(organizationId, id)
      return read(organizationId, id)
    },
    async softDelete(organizationId, id) {
      const set = { activeDeploymentId: null, slug: null, deletedAt: sql`now()` }
      existing(await change(organizationId, id, set), id)
      await endDeployment(organizationId, id)
      // Open listeners count towards the organization's limit. A start that holds this row has ended by now.
      await db.delete(workflowListeners).where(eq(workflowListeners.workflowId, id))
    },
    async undelete(organizationId, id) {
      const [row] = await db
        .update(workflows)
        .set({ deletedAt: null, updatedAt: sql`now()` })
        .where(
          and(
            eq(workflows.organizationId, organizationId),
            eq(workflows.id, id),
            isNotNull(workflows.deletedAt),
          ),
        )
        .returning({ id: workflows.id })
      if (!row) return null
      signal({ kind: 'config_changed', organizationId })
      return read(organizationId, id)
    },
    async restore(organizationId, id, versionId) {
      const [version] = await db
        .select({
          graph: workflowVersions.graph,
          // As text: a number would be rounded.
          graphHash: expression(text(), sql`${workflowVersions.graphHash}::text`),
          triggers: workflowVersions.triggers,
        })
        .from(workflowVersions)
        .where(
          and(
            eq(workflowVersions.organizationId, organizationId),
            eq(workflowVersions.workflowId, id),
            eq(workflowVersions.id, versionId),
            isNotNull(workflowVersions.n),
          ),
        )
      if (!version) return null
      const set = {
        draft: version.graph,
        draftHash: version.graphHash,
        draftTriggers: version.triggers,
        draftRevision: sql`${workflows.draftRevision} + 1`,
      }
      existing(await change(organizationId, id, set), id)
      await refer(organizationId, id, version.graph)
      return read(organizationId, id)
    },
  }
}
