import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AgentId, newId, RunId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../src/audit/port.ts'
import type { Database } from '../../src/database.ts'
import { knownMigrations } from '../../src/known-migrations.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import type { NewWorkflow, WorkflowResource, WorkflowWriter } from '../../src/workflows/port.ts'
import { createTenant, type Subject } from './tenant.ts'
import { GRAPH, newWorkflowId, newWorkflowVersionId, workflowOf } from './workflow-builders.ts'

const OPERATOR: Actor = { kind: 'api_key', id: 'key-1', ip: null, requestId: null }
const PAGE = { page: 1, limit: 10 }
/** Not in alphabetical order: documents keep the order of their keys. */
const SECOND = { edges: [], nodes: [{ type: 'note', id: 'b', name: 'B' }] }

export function workflowsContract(subject: Subject, client: () => SqlClient): void {
  type Write = Parameters<Parameters<Database['transaction']>[0]>[0]['write']
  const writing = <T>(work: (write: Write['workflows']) => Promise<T>) =>
    subject().transaction(({ write }) => work(write.workflows))
  const insert = (workflow: NewWorkflow) => writing((write) => write.insert(workflow))
  const publish = (workflow: NewWorkflow, graph: unknown = GRAPH, resources: WorkflowResource[] = []) =>
    writing((write) => write.publish({ ...workflow, graph, resources, createdBy: OPERATOR }))

  describe('workflows', () => {
    it('begin as a draft that is not published', async () => {
      const tenant = await createTenant(subject())
      const workflow = workflowOf(tenant, { slug: 'refunds', description: 'Pays \u0000 back.' })
      const created = await insert(workflow)
      expect(created).toEqual({
        ...workflow,
        description: 'Pays \ufffd back.',
        draftRevision: 1,
        activeDeployment: null,
        versionNumber: 0,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      })
      const { read } = subject()
      expect(await read.workflows.byId(tenant.organizationId, workflow.id)).toEqual(created)
      expect(await read.workflows.list(tenant.organizationId)).toEqual([created])
      await expect(insert(workflowOf(tenant, { slug: 'refunds' }))).rejects.toMatchObject({
        constraint: 'workflows_slug',
      })
    })

    it('a save keeps the former state, and again after more than 2 MB of saves, also within five minutes', async () => {
      const workflow = workflowOf(await createTenant(subject()))
      const { organizationId, id } = await insert(workflow)
      const kept = async () => {
        const rows = await client().query<{ revision: number; draft: unknown }>(
          {
            name: 'kept_states',
            text: 'select revision, draft from workflow_draft_snapshots where workflow_id = $1::uuid order by revision',
          },
          [id],
        )
        return rows.map(({ revision, draft }) => [revision, (draft as { revision?: number }).revision ?? 1])
      }
      const save = (revision: number, bytes: number) =>
        writing((write) =>
          write.saveDraft({
            ...{
              organizationId,
              id,
              revision,
              triggers: [],
              changeId: null,
              savedBy: OPERATOR,
              gesture: null,
            },
            draft: { json: JSON.stringify({ ...GRAPH, revision: revision + 1 }), hash: '1' },
            changedNodes: [],
            changes: [{ put: { text: 'x'.repeat(bytes) } }],
          }),
        )
      await save(1, 1_000_000)
      expect(await kept()).toEqual([[1, 1]])
      await save(2, 1_000_000)
      await save(3, 1_000_000)
      expect(await kept()).toEqual([[1, 1]])
      // One save that is larger than the rest.
      await save(4, 9_000_000)
      expect(await kept()).toEqual([
        [1, 1],
        [4, 4],
      ])
      await save(5, 10)
      await save(6, 10)
      expect((await kept()).map(([revision]) => revision)).toEqual([1, 4, 5])
    })

    it('a save writes pieces of the stored draft, unless that has another length, or the same change was saved', async () => {
      const { organizationId, id } = await insert(
        workflowOf(await createTenant(subject()), { draft: { a: 'é漢😀', b: 'xyz' } }),
      )
      const save = (revision: number, formerBytes: number, changeId: string | null = null) =>
        writing((write) =>
          write.saveDraft({
            ...{ organizationId, id, revision, triggers: [], changeId, savedBy: OPERATOR, gesture: null },
            // The three characters have nine bytes.
            draft: {
              ...{ hash: '1', formerBytes },
              pieces: [
                [0, 6, ''],
                [15, 7, 'ü'],
                [25, 2, ''],
              ],
            },
            ...{ changedNodes: [], changes: [] },
          }),
        )
      const draft = async () => (await subject().read.workflows.byId(organizationId, id))?.draft
      expect(await save(1, 26)).toBeNull()
      expect(await draft()).toEqual({ a: 'é漢😀', b: 'xyz' })
      const changeId = randomUUID()
      expect(await save(1, 27, changeId)).toMatchObject({ revision: 2 })
      expect(await draft()).toEqual({ a: '', b: 'ü' })
      expect(await save(2, 17, changeId)).toBeNull()
    })

    it('the hashes that the migration writes are those of later saves and publishes', async () => {
      const migration = (await knownMigrations()).find(({ tag }) => tag === '0023_composed_graph_hashes')
      const statements = (migration?.sql ?? '').split('--> statement-breakpoint')
      const part = fc.record(
        { id: fc.string(), position: fc.jsonValue(), config: fc.jsonValue() },
        { requiredKeys: ['id'] },
      )
      const graphs = fc.sample(
        fc.record(
          {
            nodes: fc.array(part, { maxLength: 5 }),
            edges: fc.array(part, { maxLength: 5 }),
            expose: fc.constantFrom('mcp', null),
          },
          { requiredKeys: ['nodes', 'edges'] },
        ),
        50,
      )
      const tenant = await createTenant(subject())
      for (const one of graphs) {
        const draft: unknown = JSON.parse(JSON.stringify(one))
        await publish(await insert(workflowOf(tenant, { draft })), draft)
      }
      const hashes = (how: 'in' | 'not in') =>
        client().execute(
          `select w.id, w.draft_hash::text, v.graph_hash::text from workflows w join workflow_versions v on v.workflow_id = w.id
           where w.organization_id = $1::uuid and ('0', '0') ${how} ((w.draft_hash::text, v.graph_hash::text)) order by w.id`,
          [tenant.organizationId],
        )
      const before = await hashes('not in')
      expect(before).toHaveLength(graphs.length)
      await client().execute('update workflows set draft_hash = 0 where organization_id = $1::uuid', [
        tenant.organizationId,
      ])
      await client().execute('update workflow_versions set graph_hash = 0 where organization_id = $1::uuid', [
        tenant.organizationId,
      ])
      expect(await hashes('in')).toHaveLength(graphs.length)
      for (const one of statements) if (!one.trim().startsWith('ALTER')) await client().execute(one, [])
      expect(await hashes('not in')).toEqual(before)
    })

    it('are locked without their draft when it is the known one, also after a wait for the save that changes it', async () => {
      const { organizationId, id } = await insert(workflowOf(await createTenant(subject())))
      const save = (write: WorkflowWriter, revision: number) =>
        write.saveDraft({
          ...{ organizationId, id, revision, triggers: [], changedNodes: [], changes: [] },
          ...{ changeId: null, savedBy: OPERATOR, gesture: null },
          draft: { json: JSON.stringify({ ...GRAPH, revision }), hash: '1' },
        })
      const known = await writing((write) => save(write, 1))
      const lock = () => writing((write) => write.lockDraft(organizationId, id, known, null))
      expect(await lock()).toMatchObject({ draftRevision: 2, isKnown: true, draft: null })
      const locked = Promise.withResolvers<void>()
      const first = writing(async (write) => {
        await write.lockDraft(organizationId, id, known, null)
        locked.resolve()
        await setTimeout(200)
        return save(write, 2)
      })
      await locked.promise
      const second = lock()
      await first
      expect(await second).toMatchObject({
        draftRevision: 3,
        isKnown: false,
        draft: { ...GRAPH, revision: 2 },
      })
    })

    it('change their draft only from the revision that was read', async () => {
      const tenant = await createTenant(subject())
      const workflow = workflowOf(tenant)
      const { organizationId, id } = workflow
      await insert(workflow)
      const change = { organizationId, id, revision: 1 }
      const drafts = Array.from({ length: 8 }, (_, n) => ({ nodes: [], edges: [], n }))
      const changed = await Promise.all(
        drafts.map((draft) => writing((write) => write.updateDraft({ ...change, draft }))),
      )
      const won = changed.filter((one) => one !== null)
      expect(won).toHaveLength(1)
      expect(won[0]?.draftRevision).toBe(2)
      expect(await subject().read.workflows.byId(organizationId, id)).toEqual(won[0])
      const renamed = { ...workflow, name: 'Other', slug: 'other', projectId: tenant.projectA }
      expect(await writing((write) => write.update(renamed))).toMatchObject({
        name: 'Other',
        slug: 'other',
        projectId: tenant.projectA,
        draft: won[0]?.draft,
        draftRevision: 2,
      })
      const missing = newWorkflowId()
      expect(await writing((write) => write.updateDraft({ ...change, id: missing, draft: {} }))).toBeNull()
      await expect(writing((write) => write.update({ ...renamed, id: missing }))).rejects.toThrow(
        'There is no workflow',
      )
    })

    it('are published as versions, of which one is active at a time', async () => {
      const tenant = await createTenant(subject())
      const { read } = subject()
      const workflow = workflowOf(tenant)
      const { organizationId, id } = workflow
      await insert(workflow)
      const first = await publish(workflow)
      const second = await publish(workflow, SECOND)
      expect(second).toMatchObject({ versionNumber: 2, draftRevision: 1, draft: GRAPH })
      expect(second.activeDeployment).not.toEqual(first.activeDeployment)
      expect(await read.workflows.byId(organizationId, id)).toEqual(second)
      const [v1, v2] = [first.activeDeployment?.versionId, second.activeDeployment?.versionId]
      if (!v1 || !v2) throw new Error('not published')
      const versions = await read.workflows.versions(organizationId, id, PAGE)
      expect(versions.total).toBe(2)
      expect(versions.rows).toEqual([
        {
          id: v2,
          organizationId,
          projectId: null,
          workflowId: id,
          n: 2,
          createdBy: { kind: 'api_key', id: 'key-1' },
          createdAt: expect.any(Date),
        },
        expect.objectContaining({ id: v1, n: 1 }),
      ])
      const graph = await read.workflows.versionGraph(organizationId, v2)
      expect(JSON.stringify(graph)).toBe(JSON.stringify(SECOND))
      expect(await read.workflows.versionById(organizationId, v1)).toEqual({
        ...versions.rows[1],
        graph: GRAPH,
      })
      const unpublished = await writing((write) => write.unpublish(organizationId, id))
      expect(unpublished).toMatchObject({ activeDeployment: null, versionNumber: 2 })
      await writing((write) => write.unpublish(organizationId, id))
      const deployments = await read.workflows.deployments(organizationId, id, PAGE)
      expect(deployments.total).toBe(2)
      expect(deployments.rows).toEqual([
        {
          id: second.activeDeployment?.id,
          workflowId: id,
          versionId: v2,
          n: 2,
          publishedAt: second.activeDeployment?.publishedAt,
          endedAt: expect.any(Date),
        },
        expect.objectContaining({ id: first.activeDeployment?.id, n: 1, endedAt: expect.any(Date) }),
      ])
      const restored = await writing((write) => write.restore(organizationId, id, v2))
      expect(restored).toMatchObject({ draft: SECOND, draftRevision: 2, activeDeployment: null })
      const unknown = newWorkflowVersionId()
      expect(await writing((write) => write.restore(organizationId, id, unknown))).toBeNull()
    })

    it('published many times concurrently get a version each, and the last one is active', async () => {
      const tenant = await createTenant(subject())
      const workflow = workflowOf(tenant)
      await insert(workflow)
      const published = await Promise.all(Array.from({ length: 8 }, () => publish(workflow)))
      expect(published.map(({ versionNumber }) => versionNumber).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      const { rows } = await subject().read.workflows.deployments(workflow.organizationId, workflow.id, PAGE)
      expect(rows.filter(({ endedAt }) => endedAt === null).map(({ n }) => n)).toEqual([8])
    })

    it('are hidden once deleted; their versions are kept and their slug is free', async () => {
      const tenant = await createTenant(subject())
      const { read } = subject()
      const workflow = workflowOf(tenant, { slug: 'refunds' })
      const { organizationId, id } = workflow
      await insert(workflow)
      const versionId = (await publish(workflow)).activeDeployment?.versionId
      if (!versionId) throw new Error('not published')
      await writing((write) => write.softDelete(organizationId, id))
      expect(await read.workflows.byId(organizationId, id)).toBeNull()
      expect(await read.workflows.list(organizationId)).toEqual([])
      expect(await read.workflows.page(tenant.scope, { projectId: null, ...PAGE })).toEqual({
        rows: [],
        total: 0,
      })
      expect(await writing((write) => write.lock(organizationId, id))).toBeNull()
      await expect(publish(workflow)).rejects.toThrow('There is no workflow')
      await expect(writing((write) => write.softDelete(organizationId, id))).rejects.toThrow('There is no')
      expect(await read.workflows.versionGraph(organizationId, versionId)).toEqual(GRAPH)
      await insert(workflowOf(tenant, { slug: 'refunds' }))
    })

    it('that are deleted are restored once, with their versions, not published and without a slug', async () => {
      const [tenant, other] = [await createTenant(subject()), await createTenant(subject())]
      const workflow = workflowOf(tenant, { slug: 'refunds' })
      const { organizationId, id } = workflow
      await insert(workflow)
      await publish(workflow)
      expect(await writing((write) => write.undelete(organizationId, id))).toBeNull()
      await writing((write) => write.softDelete(organizationId, id))
      expect(await writing((write) => write.undelete(other.scope.organizationId, id))).toBeNull()
      const shown = await Promise.all(
        [1, 2, 3].map(() => writing((write) => write.undelete(organizationId, id))),
      )
      expect(shown.filter((one) => one !== null)).toMatchObject([
        { id, slug: null, activeDeployment: null, draft: workflow.draft },
      ])
      const { read } = subject()
      expect(await read.workflows.byId(organizationId, id)).toMatchObject({ id })
      expect((await read.workflows.versions(organizationId, id, PAGE)).rows).toHaveLength(1)
      expect(await publish(workflow)).toMatchObject({ versionNumber: 2 })
    })

    it('come in pages without their drafts, newest first, within the scope', async () => {
      const tenant = await createTenant(subject())
      const { read } = subject()
      const { organizationId, projectA, projectB } = tenant
      const [older, newer] = [
        workflowOf(tenant, { projectId: projectA, name: 'Older' }),
        workflowOf(tenant, { name: 'Newer' }),
      ]
      await insert(older)
      await insert(newer)
      const { activeDeployment } = await publish(newer)
      const all = await read.workflows.page(tenant.scope, { projectId: null, ...PAGE })
      expect(all.total).toBe(2)
      expect(all.rows.map(({ name }) => name)).toEqual(['Newer', 'Older'])
      expect(all.rows[0]).toMatchObject({ activeDeployment, versionNumber: 1 })
      expect(all.rows[0]).not.toHaveProperty('draft')
      const of = async (scope: typeof projectA | null, projectId: typeof projectA | null) => {
        const page = await read.workflows.page(
          { organizationId, projectId: scope },
          { projectId, page: 1, limit: 1 },
        )
        return [page.total, ...page.rows.map(({ name }) => name)]
      }
      expect(await of(null, null)).toEqual([2, 'Newer'])
      expect(await of(null, projectA)).toEqual([1, 'Older'])
      expect(await of(projectA, projectB)).toEqual([1, 'Older'])
      expect(await of(projectB, null)).toEqual([0])
    })

    it('of one organization are invisible to another', async () => {
      const [tenant, other] = [await createTenant(subject()), await createTenant(subject())]
      const { organizationId } = other
      const workflow = workflowOf(tenant)
      const { id } = workflow
      await insert(workflow)
      const versionId = (await publish(workflow)).activeDeployment?.versionId
      if (!versionId) throw new Error('not published')
      const { workflows } = subject().read
      expect(await workflows.byId(organizationId, id)).toBeNull()
      expect(await workflows.versionById(organizationId, versionId)).toBeNull()
      expect(await workflows.versionGraph(organizationId, versionId)).toBeNull()
      expect(await workflows.versions(organizationId, id, PAGE)).toEqual({ rows: [], total: 0 })
      expect(await workflows.deployments(organizationId, id, PAGE)).toEqual({ rows: [], total: 0 })
      const foreign = { ...workflow, organizationId }
      await expect(publish(foreign)).rejects.toThrow('There is no workflow')
      await expect(writing((write) => write.unpublish(organizationId, id))).rejects.toThrow('There is no')
      await expect(writing((write) => write.softDelete(organizationId, id))).rejects.toThrow('There is no')
      expect(await writing((write) => write.restore(organizationId, id, versionId))).toBeNull()
      expect(await writing((write) => write.lock(organizationId, id))).toBeNull()
    })

    it('signal each change to every process', async () => {
      const tenant = await createTenant(subject())
      const workflow = workflowOf(tenant)
      const { organizationId, id } = workflow
      const changes: Signal[] = []
      const unsubscribe = subject().signals.subscribe((signal) => {
        if (signal.kind === 'config_changed' && signal.organizationId === organizationId) changes.push(signal)
      })
      let versionId = newWorkflowVersionId()
      /** Resolves when every signal of the previous commits has arrived. */
      const allHeard = async () => {
        const marker = { kind: 'run_events' as const, runId: newId(RunId) }
        const { promise, resolve } = Promise.withResolvers<void>()
        const end = subject().signals.subscribe((signal) => {
          if (signal.kind === 'run_events' && signal.runId === marker.runId) resolve()
        })
        await subject().signals.publish(marker)
        await promise
        end()
        return changes.splice(0)
      }
      const told = async (work: () => Promise<unknown>) => {
        await work()
        // A process receives its own commits at once and, from PostgreSQL, again as a notification.
        expect(new Set((await allHeard()).map(({ kind }) => kind))).toEqual(new Set(['config_changed']))
      }
      await subject().transaction(({ write }) => write.workflows.insert(workflowOf(tenant)))
      await allHeard()
      await told(() => insert(workflow))
      await told(() => writing((write) => write.update(workflow)))
      await told(() =>
        writing((write) => write.updateDraft({ organizationId, id, revision: 1, draft: GRAPH })),
      )
      await told(async () => {
        versionId = (await publish(workflow)).activeDeployment?.versionId ?? versionId
      })
      await told(() => writing((write) => write.restore(organizationId, id, versionId)))
      await told(() => writing((write) => write.unpublish(organizationId, id)))
      await told(() => writing((write) => write.softDelete(organizationId, id)))
      await told(() => writing((write) => write.undelete(organizationId, id)))
      unsubscribe()
    })

    it('list the agents of the published version only', async () => {
      const tenant = await createTenant(subject())
      const { read } = subject()
      const { organizationId } = tenant
      const [a, b] = [newId(AgentId), newId(AgentId)]
      const uses = (...ids: AgentId[]) => ids.map((id) => ({ kind: 'agent' as const, id }))
      const [desk, crew] = [workflowOf(tenant, { name: 'Desk' }), workflowOf(tenant, { name: 'Crew' })]
      for (const workflow of [desk, crew]) await insert(workflow)
      const names = async (id: AgentId, kind: WorkflowResource['kind'] = 'agent') =>
        (await read.workflows.publishedWith(organizationId, { kind, id })).map(({ name }) => name)
      await publish(desk, GRAPH, uses(a, b))
      await publish(crew, GRAPH, uses(a))
      expect(await names(a)).toEqual(['Crew', 'Desk'])
      expect(await names(a, 'team')).toEqual([])
      expect(await read.workflows.publishedWith(organizationId, { kind: 'agent', id: b })).toEqual([
        { workflowId: desk.id, projectId: null, name: 'Desk' },
      ])
      const other = await createTenant(subject())
      expect(await read.workflows.publishedWith(other.organizationId, { kind: 'agent', id: b })).toEqual([])
      await publish(desk, GRAPH, uses(b))
      expect(await names(a)).toEqual(['Crew'])
      await writing((write) => write.unpublish(organizationId, crew.id))
      expect(await names(a)).toEqual([])
      await writing((write) => write.softDelete(organizationId, desk.id))
      expect(await names(b)).toEqual([])
      const [row] = await client().execute(
        'select count(*) from workflow_resources where organization_id = $1::uuid',
        [organizationId],
      )
      expect(row).toEqual([0])
    })
  })
}
