import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DomainError, isUuid } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { expect, test } from 'vitest'
import { createKnowledgeBase, deleteKnowledgeBase } from '../knowledge/change-knowledge-base.ts'
import { deleteSkill } from '../skills/delete-skill.ts'
import { filesOfTexts } from '../skills/skill-files.ts'
import { uploadSkill } from '../skills/upload-skill.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { twoProcesses } from '../teams/testing/two-processes.ts'
import { createAgent } from './create-agent.ts'
import { updateAgent } from './update-agent.ts'

/** Long enough for another connection to do what no lock prevents. */
const GRACE_MS = 500

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

/** A database whose transactions do something before they commit. */
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

/** Starts `second` before `first` has committed. What each came to: the code of its refusal, or null. */
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

test('an agent and what it names are not saved and deleted at the same time, from two processes on PostgreSQL', async ({
  skip,
}) => {
  await using processes = await twoProcesses()
  if (!processes) return skip()
  const { one, two, teams } = processes
  const { scope, parts } = teams
  const saves = {
    create: (config: object) => (database: Database) =>
      createAgent({ ...parts, database }, scope, BUILDER, { name: 'Ada', config: { ...config } }),
    update: (config: object) => (database: Database) =>
      updateAgent({ ...parts, database }, scope, BUILDER, teams.agent('a'), { config: { ...config } }),
  }
  const named = {
    base: async () => {
      const id = await newBase(teams)
      const remove = (database: Database) =>
        deleteKnowledgeBase({ database, deleteFiles }, scope, BUILDER, id)
      return { config: { knowledge: { base_ids: [id] } }, remove }
    },
    skill: async () => {
      const { skillId, slug } = await newSkill(teams)
      const remove = (database: Database) => deleteSkill({ database }, scope, BUILDER, skillId)
      return { config: { skills: [{ slug }] }, remove }
    },
  }
  for (const save of Object.values(saves)) {
    for (const make of Object.values(named)) {
      const kept = await make()
      expect(await overlap(one, save(kept.config), () => kept.remove(two))).toEqual([null, 'in_use'])
      const lost = await make()
      const saved = () => save(lost.config)(two)
      expect(await overlap(one, lost.remove, saved)).toEqual([null, 'validation_error'])
    }
  }
}, 120_000)

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

test('saving an agent takes as many calls of the database for many references as for one of each', async () => {
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
  expect(few).toEqual({ created: 11, updated: 13 })
})
