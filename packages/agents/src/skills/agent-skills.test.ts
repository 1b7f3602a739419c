import { AGENT_CONFIG_DEFAULTS, newId, SkillId } from '@troupe/contract'
import type { StoredStep } from '@troupe/durable-work'
import { expect, test } from 'vitest'
import { agentLoop } from '../agent/agent-loop.ts'
import { tool } from '../agent/testing/loop-setting.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { SkillLibrary } from '../ports/skills.ts'
import { Journal } from '../run/journal.ts'
import { chainFailed, type Reply, scriptedChat } from '../testing/scripted-model.ts'
import { testActor, testContext } from '../testing/test-context.ts'
import { openSkills } from './agent-skills.ts'

const agent = {
  organizationId: 'organization',
  projectId: null,
  config: { ...AGENT_CONFIG_DEFAULTS, skills: [{ slug: 'refunds' }] },
} as unknown as AgentSnapshot

const limits = {
  maxSteps: 5,
  maxToolCalls: 50,
  parallelToolCalls: true,
  toolChoice: 'auto',
  repeatLimit: 3,
} as const

/** Counts the reads of a library whose only skill has this newest version. */
function library(version: number): SkillLibrary & { read: SkillLibrary['read']; reads: string[] } {
  const reads: string[] = []
  const skill = {
    skillId: newId(SkillId),
    name: 'refunds',
    version,
    description: 'Refunds\n an order.',
    allowedTools: ['get_order'],
    files: ['SKILL.md'],
  }
  return {
    reads,
    find: async () => [skill],
    read: async (_, asked) => {
      reads.push(`version ${asked.version}`)
      return `---\nname: refunds\n---\n\nVersion ${asked.version}.`
    },
  }
}

/** A turn of a job that commits to `committed`. */
async function turn(committed: Map<string, StoredStep>, skills: SkillLibrary, script: Reply[]) {
  const journal = new Journal(new Map(committed), async (key, step) => {
    committed.set(key, structuredClone(step))
  })
  let step = 0
  const models = scriptedChat(() => script[step++] ?? 'Done.')
  const base = testContext({ journal, models })
  const ctx = { ...base, services: { ...base.services, skills } }
  const opened = await openSkills(ctx, agent, '')
  const tools = [...opened.tools, ...['get_order', 'refund'].map((name) => opened.limited(tool(name)))]
  const result = await agentLoop(ctx, {
    actor: testActor(),
    keyPrefix: '',
    purpose: 'chat',
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools,
    limits,
    channel: 'answer',
    transcript: ctx.output.transcript,
  }).catch(() => null)
  const offered = models.calls.map(({ options }) => (options.tools ?? []).map(({ name }) => name))
  return { result, offered, shown: opened.shown, results: models.calls.at(-1)?.results }
}

const LOAD = { call: 'load_skill', input: { name: 'refunds' } }

test('a resumed job keeps the version that it started with, and the limits of its loaded skills', async () => {
  const committed = new Map<string, StoredStep>()
  const before = await turn(committed, library(1), [LOAD, chainFailed('the process stops')])
  expect(before.result).toBeNull()
  expect(before.offered).toEqual([
    ['load_skill', 'read_skill_file', 'get_order', 'refund'],
    ['load_skill', 'read_skill_file', 'get_order'],
  ])
  const newer = library(2)
  const after = await turn(committed, newer, [{ call: 'refund', input: {} }, 'Done.'])
  expect(after.result?.text).toBe('Done.')
  expect(after.offered[0]).toEqual(['load_skill', 'read_skill_file', 'get_order'])
  expect(after.results?.[0]).toBe('Version 1.')
  expect(after.results?.[1]).toContain('The skill refunds does not allow this tool.')
  expect(newer.reads).toEqual([])
})

test('calls beside the one that loads a skill have the tools of the previous step', async () => {
  const script: Reply[] = [[LOAD, { call: 'refund', input: {} }], 'Done.']
  const committed = new Map<string, StoredStep>()
  const { results } = await turn(committed, library(1), script)
  expect(results?.[1]).toBe('refund {}')
  // When replayed, the same call has the same outcome.
  committed.delete('step:1')
  const again = await turn(committed, library(1), ['Done.'])
  expect(again.results?.[1]).toBe('refund {}')
})

test('the prompt has each skill on a line', async () => {
  const { shown } = await turn(new Map(), library(1), ['Done.'])
  expect(shown).toContain('\n- refunds: Refunds an order.\n</skills>')
})
