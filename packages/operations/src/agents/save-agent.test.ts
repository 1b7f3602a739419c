import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CredentialId, DomainError, isUuid, LlmConfigId, McpServerId } from '@troupe/contract'
import type { Database, Transaction } from '@troupe/storage'
import { describe, expect, test } from 'vitest'
import { createKnowledgeBase, deleteKnowledgeBase } from '../knowledge/change-knowledge-base.ts'
import { deleteSkill } from '../skills/delete-skill.ts'
import { filesOfTexts } from '../skills/skill-files.ts'
import { uploadSkill } from '../skills/upload-skill.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { twoProcesses } from '../teams/testing/two-processes.ts'
import { createAgent } from './create-agent.ts'
import { updateAgent } from './update-agent.ts'

/** Long enough for another connection to finish anything that no lock prevents. */
const GRACE_MS = 250

const deleteFiles = async () => {}

async function newBase({ parts, scope }: Teams): Promise<string> {
  return (await createKnowledgeBase(parts, scope, BUILDER, { name: 'Handbook' })).knowledgeBaseId
}

async function newSkill({ parts, scope }: Teams): Promise<{ skillId: string; slug: string }> {
  const slug = `s-${randomUUID().slice(0, 8)}`
  const text = `---\nname: ${slug}\ndescription: Helps.\n---\nHelp.\n`
  const uploaded = await uploadSkill(parts, scope, BUILDER, {
    files: filesOfTexts({ 'SKILL.md': text }),
    projectId: null,
  })
  return { skillId: uploaded.skill.skillId, slug }
}

/** A database whose transactions run a callback before they commit. */
function beforeCommit(database: Database, meanwhile: () => Promise<unknown>): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        await meanwhile()
        return result
      }),
  }
}

const codeOf = (error: unknown) => (error as DomainError).code

/** Starts `second` before `first` has committed. Returns the outcome of each: the code of its refusal, or null. */
async function overlap(
  database: Database,
  first: (database: Database) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<(string | null)[]> {
  let later: Promise<string | null> = Promise.resolve(null)
  const earlier = await first(
    beforeCommit(database, () => {
      later = second().then(() => null, codeOf)
      return Promise.race([later, pause(GRACE_MS)])
    }),
  ).then(() => null, codeOf)
  return [earlier, await later]
}

/** A resource that an agent may name, with its deletion. */
interface Named {
  config: object
  remove: (database: Database) => Promise<unknown>
  /** The code of the refusal when a save names it after its deletion. */
  gone: string
}

/** Deletes it as the builder does: under the organization's lock, unless it is in use. */
function removeUnused(
  { scope: { organizationId } }: Teams,
  usedBy: (tx: Transaction) => Promise<{ usedBy: readonly unknown[] } | null>,
  remove: (tx: Transaction) => Promise<void>,
): Named['remove'] {
  return (database) =>
    database.transaction(async (tx) => {
      await tx.write.organizations.lock(organizationId)
      const users = (await usedBy(tx))?.usedBy ?? []
      if (users.length > 0) throw new DomainError('in_use', 'It is used.')
      await remove(tx)
    })
}

/** One factory for each kind. */
function kindsOf(teams: Teams, database: Database): Record<string, () => Promise<Named>> {
  const { scope, parts } = teams
  const { organizationId } = scope
  const named = () => ({ organizationId, projectId: null, slug: randomUUID(), name: 'Other' })
  return {
    base: async () => {
      const id = await newBase(teams)
      const remove: Named['remove'] = (from) =>
        deleteKnowledgeBase({ database: from, deleteFiles }, scope, BUILDER, id)
      return { config: { knowledge: { base_ids: [id] } }, remove, gone: 'validation_error' }
    },
    skill: async () => {
      const { skillId, slug } = await newSkill(teams)
      const remove: Named['remove'] = (from) => deleteSkill({ database: from }, scope, BUILDER, skillId)
      return { config: { skills: [{ slug }] }, remove, gone: 'validation_error' }
    },
    llm: async () => {
      const id: LlmConfigId = parts.newId(LlmConfigId)
      const [main] = await database.read.llmConfigurations.list(organizationId)
      await database.transaction(({ write }) =>
        write.llmConfigurations.insert({ ...main!, ...named(), id, isDefault: false }),
      )
      const remove = removeUnused(
        teams,
        ({ read }) => read.builder.llmConfigurations.byId(organizationId, id),
        ({ write }) => write.llmConfigurations.delete(organizationId, id),
      )
      return {
        config: { model: { primary: { llm_config_id: id } } },
        remove,
        gone: 'llm_configuration_not_found',
      }
    },
    credential: async () => {
      const id: CredentialId = parts.newId(CredentialId)
      const [one] = await database.read.credentials.list(organizationId)
      const { version: _, secretSetAt: _since, ...credential } = one!
      await database.transaction(({ write }) => write.credentials.insert({ ...credential, ...named(), id }))
      const remove = removeUnused(
        teams,
        ({ read }) => read.builder.credentials.byId(organizationId, id),
        ({ write }) => write.credentials.delete(organizationId, id),
      )
      const hook = { type: 'webhook', action: 'block', url: 'https://one.example/', credential_id: id }
      return { config: { guardrails: { input: [hook] } }, remove, gone: 'credential_not_found' }
    },
    server: async () => {
      const id: McpServerId = parts.newId(McpServerId)
      const url = 'https://one.example/mcp'
      await database.transaction(({ write }) =>
        write.mcpServers.insert({ ...named(), id, url, credentialId: null }),
      )
      const remove = removeUnused(
        teams,
        ({ read }) => read.builder.mcpServers.byId(organizationId, id),
        ({ write }) => write.mcpServers.delete(organizationId, id),
      )
      const tool = { type: 'mcp', name: 'remote', server_id: id }
      return { config: { tools: [tool] }, remove, gone: 'validation_error' }
    },
  }
}

function savesOf({ scope, parts, agent }: Teams): Record<string, (config: object) => Named['remove']> {
  return {
    create: (config) => (database) =>
      createAgent({ ...parts, database }, scope, BUILDER, { name: 'Ada', config: { ...config } }),
    update: (config) => (database) =>
      updateAgent({ ...parts, database }, scope, BUILDER, agent('a'), { config: { ...config } }),
  }
}

describe('an agent and a resource that it names are not saved and deleted concurrently', () => {
  test('from two processes on PostgreSQL', async ({ skip }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    for (const [verb, save] of Object.entries(savesOf(teams))) {
      for (const [kind, make] of Object.entries(kindsOf(teams, one))) {
        const kept = await make()
        const deletion = await overlap(one, save(kept.config), () => kept.remove(two))
        expect([verb, kind, ...deletion]).toEqual([verb, kind, null, 'in_use'])
        const lost = await make()
        const saving = await overlap(one, lost.remove, () => save(lost.config)(two))
        expect([verb, kind, ...saving]).toEqual([verb, kind, null, lost.gone])
      }
    }
  }, 120_000)

  test('from one process on PGlite, in either order', async () => {
    await using teams = await openTeams()
    const { database } = teams.parts
    const codeAfter = (change: Promise<unknown>) => change.then(() => null, codeOf)
    for (const save of Object.values(savesOf(teams))) {
      for (const make of Object.values(kindsOf(teams, database))) {
        const kept = await make()
        const saved = [codeAfter(save(kept.config)(database)), codeAfter(kept.remove(database))]
        const lost = await make()
        const removed = [codeAfter(lost.remove(database)), codeAfter(save(lost.config)(database))]
        expect([
          [null, 'in_use'],
          [kept.gone, null],
        ]).toContainEqual(await Promise.all(saved))
        expect([
          [null, lost.gone],
          ['in_use', null],
        ]).toContainEqual(await Promise.all(removed))
      }
    }
  }, 120_000)
})

const asks = (agentId: string) => ({
  config: { tools: [{ type: 'agent' as const, name: 'ask', description: 'Asks.', agent_id: agentId }] },
})

test('saves of two agents do not wait for each other, unless they name agents: then the second sees a cycle', async ({
  skip,
}) => {
  await using processes = await twoProcesses()
  if (!processes) return skip()
  const { one, two, teams } = processes
  const { scope, parts, agent } = teams
  const save = (database: Database, id: string, body: Parameters<typeof updateAgent>[4]) =>
    updateAgent({ ...parts, database }, scope, BUILDER, id, body)
  // The first commits once the second has ended: if the second waited for it, neither would end.
  const second = Promise.withResolvers<unknown>()
  const meanwhile = beforeCommit(one, async () => {
    second.resolve(await save(two, agent('b'), { config: { instructions: 'Second' } }))
  })
  await save(meanwhile, agent('a'), { config: { instructions: 'First' } })
  expect(await second.promise).toMatchObject({ config: { instructions: 'Second' } })

  const codes = await overlap(
    one,
    (database) => save(database, agent('a'), asks(agent('b'))),
    () => save(two, agent('b'), asks(agent('a'))),
  )
  expect(codes).toEqual([null, 'validation_error'])
})

/** The database with the names of the readers and writers that its transactions have called. */
function counting(database: Database): { database: Database; calls: () => number } {
  let calls = 0
  const counted = <T extends object>(groups: T): T =>
    new Proxy(groups, {
      get(target, key, receiver) {
        const group: unknown = Reflect.get(target, key, receiver)
        if (typeof group === 'function') {
          calls += 1
          return group.bind(target)
        }
        return typeof group === 'object' && group !== null ? counted(group) : group
      },
    })
  return {
    database: {
      ...database,
      transaction: (work) =>
        database.transaction((tx) => work({ ...tx, read: counted(tx.read), write: counted(tx.write) })),
    },
    calls: () => calls,
  }
}

test('saving an agent takes as many database calls for many references as for one of each', async () => {
  await using teams = await openTeams()
  const { parts, scope } = teams
  const bases = await Promise.all(Array.from({ length: 3 }, () => newBase(teams)))
  const skills = [await newSkill(teams), await newSkill(teams), await newSkill(teams)]
  const ask = (slug: string) => ({
    type: 'agent',
    name: `ask_${slug}`,
    description: 'Asks.',
    agent_id: teams.agent(slug),
  })
  const hook = {
    ...{
      type: 'webhook',
      action: 'block',
      url: 'https://one.example/',
      credential_id: teams.credential('of-one'),
    },
  }
  const config = (count: number) => ({
    model: { primary: { llm_config_id: teams.llm('main') } },
    tools: ['a', 'b', 'c'].slice(0, count).map(ask),
    guardrails: { input: Array.from({ length: count }, () => hook) },
    knowledge: { base_ids: bases.slice(0, count) },
    skills: skills.slice(0, count).map(({ slug }) => ({ slug })),
  })
  const callsOf = async (count: number) => {
    const { database, calls } = counting(parts.database)
    const { agentId } = await createAgent({ ...parts, database }, scope, BUILDER, {
      name: 'Ada',
      config: config(count),
    })
    expect(isUuid(agentId)).toBe(true)
    const created = calls()
    await updateAgent({ ...parts, database }, scope, BUILDER, agentId, { config: config(count) })
    return { created, updated: calls() - created }
  }
  const few = await callsOf(1)
  expect(await callsOf(3)).toEqual(few)
  expect(few).toEqual({ created: 14, updated: 14 })
})

test('a blank name of a previous version may be sent back, and no other blank name', async () => {
  await using teams = await openTeams()
  const { parts, scope } = teams
  const { agentId } = await createAgent(parts, scope, BUILDER, { name: '\u200b' })
  const put = (body: Parameters<typeof updateAgent>[4]) => updateAgent(parts, scope, BUILDER, agentId, body)
  expect(await put({ name: '\u200b', config: { instructions: 'New.' } })).toMatchObject({ name: '\u200b' })
  await expect(put({ name: ' ' })).rejects.toMatchObject({
    code: 'validation_error',
    errors: [{ path: 'name', message: 'must not be blank' }],
  })
  expect(await put({ name: 'Ana' })).toMatchObject({ name: 'Ana' })
})
