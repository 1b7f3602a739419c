import { AgentId, mergeTeamConfig, newId, type TeamConfig, TeamId, TeamVersionId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../src/audit/port.ts'
import type { Database } from '../../src/database.ts'
import type { TeamRecord } from '../../src/runnables/stored-port.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { createTenant, type Subject, SYSTEM, type Tenant } from './tenant.ts'

const OPERATOR: Actor = { kind: 'api_key', id: 'key-1', ip: null, requestId: null }
type NewTeam = Omit<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>

function configOf(lead: AgentId | null, members: readonly AgentId[]): TeamConfig {
  const merged = mergeTeamConfig({
    mode: 'handoff',
    lead: lead === null ? { managed: { instructions: 'You lead.' } } : { agent: lead },
    members: members.map((agent) => ({ agent })),
  })
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  return merged.config
}

/** A tenant with three agents. */
async function tenantWithAgents(db: Database) {
  const tenant = await createTenant(db)
  const [a, b, c] = [tenant.agent(), tenant.agent(), tenant.agent()]
  await db.transaction(async ({ write }) => {
    for (const agent of [a, b, c]) await write.agents.insert(agent, SYSTEM)
  })
  return { tenant, a: a.id, b: b.id, c: c.id }
}

function teamOf({ organizationId }: Pick<Tenant, 'organizationId'>, changes: Partial<NewTeam>): NewTeam {
  return {
    id: newId(TeamId),
    organizationId,
    projectId: null,
    slug: null,
    name: 'Desk',
    description: null,
    config: configOf(null, [newId(AgentId), newId(AgentId)]),
    configSchemaVersion: 1,
    ...changes,
  }
}

export function teamsContract(subject: Subject, client: () => SqlClient): void {
  const insert = (team: NewTeam, actor = SYSTEM) =>
    subject().transaction(({ write }) => write.teams.insert(team, actor))
  const update = (team: NewTeam, actor = SYSTEM) =>
    subject().transaction(({ write }) => write.teams.update(team, actor))

  describe('teams', () => {
    it('write a version with every change, with its author', async () => {
      const { tenant, a, b, c } = await tenantWithAgents(subject())
      const { read } = subject()
      const team = teamOf(tenant, { config: configOf(null, [a, b]) })
      const created = await insert(team)
      expect(created).toMatchObject(team)
      const changed = { ...team, name: 'Bureau', config: configOf(c, [a]) }
      const updated = await update(changed, OPERATOR)
      expect(updated).toMatchObject(changed)
      expect(await read.teams.byId(tenant.organizationId, team.id)).toEqual(updated)

      const owner = { kind: 'team', organizationId: tenant.organizationId, id: team.id } as const
      const { rows, total } = await subject().versions.page(owner, { page: 1, limit: 10 })
      expect(total).toBe(2)
      expect(rows).toMatchObject([
        { number: 2, createdBy: { kind: 'api_key', id: 'key-1', name: null }, isCurrent: true },
        { number: 1, createdBy: { kind: 'system', id: null, name: null }, isCurrent: false },
      ])
      expect(rows[0]?.id).toBe(updated.versionId)
      expect(await read.teams.versionById(tenant.organizationId, created.versionId)).toMatchObject({
        id: team.id,
        versionId: created.versionId,
        name: 'Desk',
        config: team.config,
      })
      expect(await subject().versions.find(owner, created.versionId)).toMatchObject({
        id: created.versionId,
        number: 1,
        name: 'Desk',
        config: team.config,
      })
      const second = await subject().versions.page(owner, { page: 2, limit: 1 })
      expect([second.rows.map(({ number }) => number), second.total]).toEqual([[1], 2])
      expect(await subject().versions.page(owner, { page: 9, limit: 1 })).toEqual({ rows: [], total: 2 })
    })

    it('are listed newest first by scope, and by slug for bundles', async () => {
      const { tenant, a, b } = await tenantWithAgents(subject())
      const config = configOf(null, [a, b])
      const { projectA, projectB } = tenant
      await insert(teamOf(tenant, { name: '1', config, projectId: projectA }))
      await insert(teamOf(tenant, { name: '2', config, slug: 'zeta' }))
      await insert(teamOf(tenant, { name: '3', config, slug: 'alpha', projectId: projectB }))
      const page = async (projectId: typeof projectA | null, filter: object) => {
        const all = { projectId: null, page: 1, limit: 10, ...filter }
        const { rows, total } = await subject().read.teams.page({ ...tenant.scope, projectId }, all)
        return [rows.map((row) => row.name).join(''), total]
      }
      expect(await page(null, {})).toEqual(['321', 3])
      expect(await page(null, { page: 2, limit: 2 })).toEqual(['1', 3])
      expect(await page(null, { projectId: projectB })).toEqual(['3', 1])
      expect(await page(projectA, { projectId: projectB })).toEqual(['1', 1])
      const listed = await subject().read.teams.list(tenant.organizationId)
      expect(listed.map(({ slug }) => slug)).toEqual(['alpha', 'zeta'])
    })

    it('merge two updates one after the other under the lock', async () => {
      const { tenant, a, b } = await tenantWithAgents(subject())
      const team = teamOf(tenant, { config: configOf(null, [a, b]), description: '' })
      await insert(team)
      const add = (letter: string) =>
        subject().transaction(async ({ write }) => {
          const current = await write.teams.lock(tenant.organizationId, team.id)
          if (!current) throw new Error('gone')
          await write.teams.update({ ...current, description: `${current.description}${letter}` }, SYSTEM)
        })
      await Promise.all(['a', 'b', 'c', 'd'].map(add))
      const stored = await subject().read.teams.byId(tenant.organizationId, team.id)
      expect(stored?.description?.split('').toSorted().join('')).toBe('abcd')
    })

    it('are deleted with their versions; a second deletion is an error', async () => {
      const { tenant, a, b } = await tenantWithAgents(subject())
      const team = teamOf(tenant, { config: configOf(a, [b]) })
      const { versionId } = await insert(team)
      const remove = () =>
        subject().transaction(({ write }) => write.teams.delete(tenant.organizationId, team.id))
      await remove()
      const { read } = subject()
      expect(await read.teams.byId(tenant.organizationId, team.id)).toBeNull()
      expect(await read.teams.versionById(tenant.organizationId, versionId)).toBeNull()
      expect(await rowsWhere(client(), 'team_agents', 'team_id', team.id)).toEqual([])
      await expect(remove()).rejects.toThrow('There is no team')
    })

    it('of another organization are neither read, locked, changed nor deleted', async () => {
      const { tenant, a, b } = await tenantWithAgents(subject())
      const { organizationId } = await createTenant(subject())
      const team = teamOf(tenant, { config: configOf(null, [a, b]) })
      const { versionId } = await insert(team)
      const { read } = subject()
      expect(await read.teams.byId(organizationId, team.id)).toBeNull()
      expect(await read.teams.versionById(organizationId, versionId)).toBeNull()
      const stranger = { kind: 'team', organizationId, id: team.id } as const
      expect(await subject().versions.page(stranger, { page: 1, limit: 10 })).toEqual({ rows: [], total: 0 })
      expect(await subject().versions.find(stranger, versionId)).toBeNull()
      expect(await read.teams.teamsOf(organizationId, a)).toEqual([])
      expect(await subject().transaction(({ write }) => write.teams.lock(organizationId, team.id))).toBeNull()
      await expect(update({ ...team, organizationId })).rejects.toThrow('There is no team')
      await expect(
        subject().transaction(({ write }) => write.teams.delete(organizationId, team.id)),
      ).rejects.toThrow('There is no team')
      expect(await read.teams.byId(tenant.organizationId, team.id)).not.toBeNull()
    })

    it('signal every change to every process', async () => {
      const { tenant, a, b } = await tenantWithAgents(subject())
      const team = teamOf(tenant, { config: configOf(null, [a, b]) })
      const changes: Signal[] = []
      const unsubscribe = subject().signals.subscribe((signal) => {
        if (signal.kind === 'config_changed' && signal.organizationId === tenant.organizationId)
          changes.push(signal)
      })
      const told = async (work: () => Promise<unknown>) => {
        changes.length = 0
        await work()
        await expect.poll(() => changes).not.toEqual([])
      }
      // Signals of the tenant's own commits may still arrive.
      await told(() => insert(teamOf(tenant, { config: team.config })))
      const marker: Signal = { kind: 'config_changed', organizationId: tenant.organizationId }
      await told(() => insert(team))
      await told(() => update({ ...team, name: 'Other' }))
      await told(() =>
        subject().transaction(({ write }) => write.teams.delete(tenant.organizationId, team.id)),
      )
      expect(changes).toContainEqual(marker)
      unsubscribe()
    })
  })

  describe('agents of teams', () => {
    it('are those of the current version, by the name of the team', async () => {
      const { tenant, a, b, c } = await tenantWithAgents(subject())
      const { read } = subject()
      const desk = teamOf(tenant, { config: configOf(a, [b, c]) })
      const crew = teamOf(tenant, { name: 'Crew', config: configOf(null, [a, b]) })
      await insert(desk)
      await insert(crew)
      const teamsOf = async (agent: AgentId) =>
        (await read.teams.teamsOf(tenant.organizationId, agent)).map(({ name, role }) => `${role} of ${name}`)
      expect(await teamsOf(a)).toEqual(['member of Crew', 'lead of Desk'])
      expect(await teamsOf(c)).toEqual(['member of Desk'])
      await update({ ...desk, config: configOf(c, [b]) })
      expect(await teamsOf(a)).toEqual(['member of Crew'])
      expect(await teamsOf(c)).toEqual(['lead of Desk'])
      expect((await read.teams.teamsOf(tenant.organizationId, c))[0]?.teamId).toBe(desk.id)
    })

    it('cannot be deleted, or belong to another organization or none', async () => {
      const { tenant, a, b } = await tenantWithAgents(subject())
      const theirs = await tenantWithAgents(subject())
      await insert(teamOf(tenant, { config: configOf(a, [b]) }))
      for (const id of [a, b]) {
        const remove = client().query({ name: 'delete_agent', text: 'delete from agents where id = $1' }, [
          id,
        ])
        await expect(remove).rejects.toMatchObject({ code: '23503', constraint: 'team_agents_agent_fk' })
      }
      for (const member of [theirs.a, newId(AgentId)]) {
        const foreign = insert(teamOf(tenant, { config: configOf(a, [member]) }))
        await expect(foreign).rejects.toMatchObject({ code: '23503' })
      }
    })

    it('are read by their ids, and in the state of a version with their current status and project', async () => {
      const { tenant, a, b } = await tenantWithAgents(subject())
      const { read } = subject()
      const { organizationId } = tenant
      expect(await read.agents.byIds(organizationId, [])).toEqual([])
      const found = await read.agents.byIds(organizationId, [a, newId(AgentId), b])
      expect(found.map(({ id }) => id).toSorted()).toEqual([a, b].toSorted())

      const before = await read.agents.byId(organizationId, a)
      if (!before) throw new Error('gone')
      const config = { instructions: 'New.' } as typeof before.config
      await subject().transaction(({ write }) =>
        write.agents.update(
          { ...before, name: 'New', config, status: 'archived', projectId: tenant.projectA },
          SYSTEM,
        ),
      )
      const version = await read.agents.versionById(organizationId, before.versionId)
      expect(version).toMatchObject({
        id: a,
        versionId: before.versionId,
        name: before.name,
        config: before.config,
        status: 'archived',
        projectId: tenant.projectA,
      })
      const other = await createTenant(subject())
      expect(await read.agents.versionById(other.organizationId, before.versionId)).toBeNull()
      expect(await read.agents.byIds(other.organizationId, [a])).toEqual([])
      expect(await read.teams.versionById(organizationId, newId(TeamVersionId))).toBeNull()
    })
  })
}
