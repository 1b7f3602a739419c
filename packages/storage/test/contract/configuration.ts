import { randomUUID } from 'node:crypto'
import { type AgentConfig, ApiKeyId, LlmConfigId, newId, RunId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { createTenant, type Subject, SYSTEM } from './tenant.ts'

export function configurationContract(subject: Subject, client: () => SqlClient): void {
  describe('organizations and projects', () => {
    it('are put once and put again with changes', async () => {
      const db = subject()
      const { organizationId, projectA } = await createTenant(db)
      await db.transaction(async ({ write }) => {
        await write.organizations.put({
          id: organizationId,
          slug: `new-${organizationId}`,
          name: 'New',
          rpm: 7,
          concurrentRuns: 3,
        })
        await write.projects.put({ id: projectA, organizationId, slug: 'a2', name: 'A2' })
      })
      const organization = {
        id: organizationId,
        slug: `new-${organizationId}`,
        name: 'New',
        rpm: 7,
        concurrentRuns: 3,
        traceDays: 30,
        runDays: 90,
      }
      expect(await db.read.organizations.byId(organizationId)).toMatchObject(organization)
      expect(await db.read.organizations.bySlug(`new-${organizationId}`)).toMatchObject(organization)
      expect(await db.read.organizations.all()).toContainEqual(expect.objectContaining(organization))
      expect(await db.read.organizations.bySlug(organizationId)).toBeNull()
      // A path may name an organization by any text.
      expect(await db.read.organizations.bySlug('a\0')).toBeNull()
      await db.transaction(({ write }) => write.organizations.put({ ...organization, traceDays: 7 }))
      const { traceDays: _, runDays: __, ...unnamed } = organization
      await db.transaction(({ write }) => write.organizations.put({ ...unnamed, rpm: 8 }))
      expect(await db.read.organizations.byId(organizationId)).toMatchObject({
        ...organization,
        rpm: 8,
        traceDays: 7,
      })
      expect(await db.read.projects.byId(organizationId, projectA)).toEqual({
        id: projectA,
        organizationId,
        slug: 'a2',
        name: 'A2',
      })
      expect((await db.read.projects.list(organizationId)).map((project) => project.slug)).toEqual([
        'a2',
        'b',
      ])
    })

    it('of another organization are neither read nor changed', async () => {
      const db = subject()
      const [mine, theirs] = [await createTenant(db), await createTenant(db)]
      expect(await db.read.projects.byId(mine.organizationId, theirs.projectA)).toBeNull()
      const steal = db.transaction(({ write }) =>
        write.projects.put({
          id: theirs.projectA,
          organizationId: mine.organizationId,
          slug: 'x',
          name: 'X',
        }),
      )
      await expect(steal).rejects.toThrow('There is no project')
      expect((await db.read.projects.byId(theirs.organizationId, theirs.projectA))?.slug).toBe('a')
    })
  })

  describe('API keys', () => {
    it('are found by hash with the limit of their organization', async () => {
      const db = subject()
      const { organizationId, apiKeyId, secretHash, projectA } = await createTenant(db)
      const key = { id: apiKeyId, organizationId, projectId: null, name: 'ci', secretHash, rpm: null }
      const stored = { ...key, expiresAt: null, revokedAt: null, organizationRpm: 1000 }
      expect(await db.read.apiKeys.byHash(secretHash)).toEqual(stored)
      const changed = {
        ...key,
        projectId: projectA,
        rpm: 3,
        expiresAt: new Date(1_800_000_000_123),
        revokedAt: new Date(),
      }
      await db.transaction(({ write }) => write.apiKeys.update(changed))
      expect(await db.read.apiKeys.list(organizationId)).toEqual([{ ...changed, organizationRpm: 1000 }])
      expect(await db.read.apiKeys.byHash('unknown')).toBeNull()
    })

    it('cannot belong to a project of another organization', async () => {
      const db = subject()
      const [mine, theirs] = [await createTenant(db), await createTenant(db)]
      const insert = db.transaction(({ write }) =>
        write.apiKeys.insert({
          id: newId(ApiKeyId),
          organizationId: mine.organizationId,
          projectId: theirs.projectA,
          name: 'x',
          secretHash: randomUUID(),
          rpm: null,
          expiresAt: null,
          revokedAt: null,
        }),
      )
      await expect(insert).rejects.toThrow()
    })
  })

  describe('LLM configurations', () => {
    it('are visible by scope, connected ones only, oldest first', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      // Two created in the same millisecond are ordered by id.
      const ids = Array.from({ length: 4 }, () => newId(LlmConfigId)).sort()
      const made: Partial<ReturnType<typeof tenant.llm>>[] = [
        { name: 'organization' },
        { name: 'a', projectId: tenant.projectA },
        { name: 'b', projectId: tenant.projectB },
        { name: 'off', status: 'disconnected' },
      ]
      for (const [at, changes] of made.entries()) {
        const one = tenant.llm({ ...changes, ...(ids[at] ? { id: ids[at] } : {}) })
        await db.transaction(({ write }) => write.llmConfigurations.insert(one))
      }
      const names = async (projectId: typeof tenant.projectA | null) =>
        (await db.read.llmConfigurations.visible({ ...tenant.scope, projectId })).map((one) => one.name)
      expect(await names(null)).toEqual(['organization', 'a', 'b'])
      expect(await names(tenant.projectA)).toEqual(['organization', 'a'])
      expect((await db.read.llmConfigurations.list(tenant.organizationId)).map((one) => one.name)).toEqual([
        'organization',
        'a',
        'b',
        'off',
      ])
    })

    it('count their versions and keep the order of keys', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const llm = tenant.llm()
      await db.transaction(({ write }) => write.llmConfigurations.insert(llm))
      await db.transaction(({ write }) =>
        write.llmConfigurations.update({ ...llm, settings: { zebra: 1, ant: { b: 1, a: 2 } } }),
      )
      const [stored] = await db.read.llmConfigurations.list(tenant.organizationId)
      expect(stored?.version).toBe(2)
      expect(JSON.stringify(stored?.settings)).toBe('{"zebra":1,"ant":{"b":1,"a":2}}')
      expect(stored?.updatedAt.getTime()).toBeGreaterThanOrEqual(stored?.createdAt.getTime() ?? Infinity)
    })
  })

  describe('agents', () => {
    it('write a version with every change', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const agent = tenant.agent()
      const created = await db.transaction(({ write }) => write.agents.insert(agent, SYSTEM))
      expect(created).toMatchObject(agent)
      const updated = await db.transaction(({ write }) =>
        write.agents.update({ ...agent, name: 'Editor' }, SYSTEM),
      )
      expect(updated.versionId).not.toBe(created.versionId)
      expect(await db.read.agents.byId(tenant.organizationId, agent.id)).toEqual(updated)
      const versions = await rowsWhere(client(), 'agent_versions', 'agent_id', agent.id)
      expect(versions.map(({ n, name, id }) => [n, name, id])).toEqual([
        [1, 'Writer', created.versionId],
        [2, 'Editor', updated.versionId],
      ])
    })

    it('merge two updates one after the other under the lock', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const agent = tenant.agent({ config: {} as AgentConfig })
      await db.transaction(({ write }) => write.agents.insert(agent, SYSTEM))
      const add = (key: string) =>
        db.transaction(async ({ write }) => {
          const current = await write.agents.lock(tenant.organizationId, agent.id)
          if (!current) throw new Error('gone')
          await write.agents.update({ ...current, config: { ...current.config, [key]: true } }, SYSTEM)
        })
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(add))
      const merged = await db.read.agents.byId(tenant.organizationId, agent.id)
      expect(Object.keys(merged?.config ?? {}).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
      const versions = await rowsWhere(client(), 'agent_versions', 'agent_id', agent.id)
      expect(versions.map(({ n }) => n).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    })

    it('are listed newest first, filtered, with an exact total on every page', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { projectA, projectB, scope } = tenant
      const agents = [
        tenant.agent({ name: '1', projectId: projectA }),
        tenant.agent({ name: '2', projectId: projectB, status: 'active' }),
        tenant.agent({ name: '3', projectId: projectA, status: 'active' }),
        tenant.agent({ name: '4', slug: 'four' }),
      ]
      for (const agent of agents) await db.transaction(({ write }) => write.agents.insert(agent, SYSTEM))
      const page = async (
        projectId: typeof projectA | null,
        filter: Partial<Parameters<typeof db.read.agents.page>[1]>,
      ) => {
        const all = { status: null, projectId: null, page: 1, limit: 10, ...filter }
        const { rows, total } = await db.read.agents.page({ ...scope, projectId }, all)
        return [rows.map((row) => row.name).join(''), total]
      }
      expect(await page(null, {})).toEqual(['4321', 4])
      expect(await page(null, { limit: 3 })).toEqual(['432', 4])
      expect(await page(null, { limit: 3, page: 2 })).toEqual(['1', 4])
      expect(await page(null, { limit: 2, page: 2 })).toEqual(['21', 4])
      expect(await page(null, { limit: 3, page: 9 })).toEqual(['', 4])
      expect(await page(null, { status: 'active' })).toEqual(['32', 2])
      expect(await page(null, { projectId: projectA })).toEqual(['31', 2])
      expect(await page(projectA, { projectId: projectB })).toEqual(['31', 2])
      expect((await db.read.agents.list(tenant.organizationId)).map((row) => row.slug)).toEqual(['four'])
    })

    it('of another organization are neither read, locked nor changed', async () => {
      const db = subject()
      const [mine, theirs] = [await createTenant(db), await createTenant(db)]
      const agent = theirs.agent()
      await db.transaction(({ write }) => write.agents.insert(agent, SYSTEM))
      expect(await db.read.agents.byId(mine.organizationId, agent.id)).toBeNull()
      expect(await db.transaction(({ write }) => write.agents.lock(mine.organizationId, agent.id))).toBeNull()
      const update = db.transaction(({ write }) =>
        write.agents.update({ ...agent, organizationId: mine.organizationId }, SYSTEM),
      )
      await expect(update).rejects.toThrow('There is no agent')
    })

    it('keep any text written by a model or a person', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const agent = tenant.agent({
        name: 'nul \0 half \ud800 whole 😀',
        config: {
          instructions: 'a\0b',
          metadata: { 'k\0': '\udc00', path: 'C:\\u0000' },
        } as unknown as AgentConfig,
      })
      const stored = await db.transaction(({ write }) => write.agents.insert(agent, SYSTEM))
      expect(stored.name).toBe('nul \ufffd half \ufffd whole 😀')
      expect(stored.config).toEqual({
        instructions: 'a\ufffdb',
        metadata: { 'k\ufffd': '\ufffd', path: 'C:\\u0000' },
      })
    })
  })

  describe('transactions', () => {
    it('roll back whole, without a signal', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const signals: Signal[] = []
      const unsubscribe = db.signals.subscribe((signal) => signals.push(signal))
      // Signals of the tenant's own commits may still arrive.
      const begin: Signal = { kind: 'run_events', runId: newId(RunId) }
      await db.signals.publish(begin)
      await expect.poll(() => signals).toContainEqual(begin)
      signals.length = 0
      const agent = tenant.agent()
      const failing = db.transaction(async ({ write, read }) => {
        await write.agents.insert(agent, SYSTEM)
        expect(await read.agents.byId(tenant.organizationId, agent.id)).not.toBeNull()
        await write.audit.append({
          organizationId: tenant.organizationId,
          projectId: null,
          actor: SYSTEM,
          action: 'agent.created',
          entityKind: 'agent',
          entityId: agent.id,
          before: null,
          after: {},
        })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await db.read.agents.byId(tenant.organizationId, agent.id)).toBeNull()
      expect(await rowsWhere(client(), 'audit_log', 'entity_id', agent.id)).toEqual([])
      const marker: Signal = { kind: 'run_events', runId: newId(RunId) }
      await db.signals.publish(marker)
      await expect.poll(() => signals).toContainEqual(marker)
      unsubscribe()
      expect(signals.filter((signal) => signal.kind === 'config_changed')).toEqual([])
    })

    it('are not committed after one of their statements failed, even if the failure was caught', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const agent = tenant.agent()
      const swallowing = db.transaction(async ({ write }) => {
        await write.agents.insert(agent, SYSTEM)
        await write.agents.insert(agent, SYSTEM).catch(() => {})
      })
      await expect(swallowing).rejects.toThrow()
      expect(await db.read.agents.byId(tenant.organizationId, agent.id)).toBeNull()
    })

    it('are not seen by readers before they commit', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const agent = tenant.agent()
      let outside: Promise<unknown> = Promise.resolve()
      const { promise: mayRead, resolve: allowRead } = Promise.withResolvers<void>()
      const reader = mayRead.then(() => {
        outside = db.read.agents.byId(tenant.organizationId, agent.id)
      })
      const failing = db.transaction(async ({ write }) => {
        await write.agents.insert(agent, SYSTEM)
        allowRead()
        await reader
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await outside).toBeNull()
    })

    it('refuse the use of the database from inside, which would deadlock', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const nested = db.transaction(() => db.read.organizations.byId(tenant.organizationId))
      await expect(nested).rejects.toThrow('Inside a transaction')
      expect(await db.read.organizations.byId(tenant.organizationId)).not.toBeNull()
    })
  })

  describe('signals', () => {
    it('follow commits of configuration and keys', async () => {
      const db = subject()
      const signals: Signal[] = []
      const unsubscribe = db.signals.subscribe((signal) => signals.push(signal))
      const { organizationId, secretHash } = await createTenant(db)
      await expect.poll(() => signals).toContainEqual({ kind: 'config_changed', organizationId })
      await expect.poll(() => signals).toContainEqual({ kind: 'api_key_changed', secretHash })
      unsubscribe()
    })

    it('reach every subscriber in order, and none after it unsubscribed', async () => {
      const db = subject()
      const seen: string[] = []
      const unsubscribe = db.signals.subscribe((signal) => {
        if (signal.kind === 'run_events') seen.push(signal.runId)
      })
      const ids = Array.from({ length: 20 }, () => newId(RunId))
      await Promise.all(ids.map((runId) => db.signals.publish({ kind: 'run_events', runId })))
      await expect.poll(() => seen).toEqual(ids)
      unsubscribe()
      await db.signals.publish({ kind: 'run_events', runId: newId(RunId) })
      await db.ping()
      expect(seen).toEqual(ids)
    })
  })
}
