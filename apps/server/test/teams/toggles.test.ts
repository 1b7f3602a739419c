import { COORDINATION_MODES, type CoordinationMode, type TEAM_TOGGLES } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROKEN, broadcast, delegate, plan, review, route } from './lead-decisions.ts'
import {
  conversation,
  everything,
  lastMessage,
  purposeOf,
  type RecordedCall,
  systemOf,
  toolOf,
} from './model-requests.ts'
import { type Cast, newSession, startTeamSetting, type TeamSetting, type TestTeam } from './team-setting.ts'

let setting: TeamSetting
beforeAll(async () => {
  setting = await startTeamSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

type Toggle = (typeof TEAM_TOGGLES)[number]
const WORDS = 'Please <do> this.'

const t1 = { id: 't1', assignee: 'm1', description: 'The first task.' }
const t2 = { id: 't2', assignee: 'm2', description: 'The second task.' }
const t3 = { id: 't3', assignee: 'm3', description: 'The third task.', depends_on: ['t1'] }
const DONE = review('complete', { evidence: ['t1'] })

/** In every mode several members run, one after the other if the mode allows it. */
const CASTS: Record<CoordinationMode, Cast> = {
  handoff: {
    lead: [route('m1', 'Rewritten for one.'), route('m2', 'Rewritten for two.')],
    m1: BROKEN,
    m2: 'Said by Ben.',
  },
  'dynamic-delegation': {
    lead: [delegate(['m1', 'Rewritten for one.']), delegate(['m2', 'Rewritten for two.']), 'The answer.'],
    m1: 'Said by Ada.',
    m2: 'Said by Ben.',
  },
  parallel: {
    lead: ({ body }) => (body.tools ? broadcast('Rewritten for all.') : 'The answer.'),
    m1: 'Said by Ada.',
    m2: 'Said by Ben.',
    m3: 'Said by Cleo.',
  },
  'plan-execute': {
    lead: [plan(t1, t2, t3), review('continue'), DONE, 'The answer.'],
    m1: 'Said by Ada.',
    m2: 'Said by Ben.',
    m3: 'Said by Cleo.',
  },
}

function team(mode: CoordinationMode, toggles: Partial<Record<Toggle, boolean>>): Promise<TestTeam> {
  return setting.team(mode, { config: { toggles } })
}

/** The calls of one run of a new team with one earlier turn in the session. */
async function callsOf(
  mode: CoordinationMode,
  toggles: Partial<Record<Toggle, boolean>>,
  message: string = WORDS,
): Promise<RecordedCall[]> {
  const own = await team(mode, toggles)
  const session_id = newSession()
  setting.play(CASTS[mode])
  await setting.result(own, { message: 'Earlier question.', session_id })
  setting.play(CASTS[mode])
  await setting.result(own, { message, session_id })
  return setting.calls()
}

const membersOf = (calls: readonly RecordedCall[]) => calls.filter((call) => purposeOf(call) === 'task')
const leadsOf = (calls: readonly RecordedCall[]) => calls.filter((call) => purposeOf(call) !== 'task')
/** Requests in a comparable form: by role and index, in any execution order. */
const comparable = (calls: readonly RecordedCall[]) =>
  calls.map(({ body }) => JSON.stringify(body)).toSorted()
/** The one user message that each member got, in the order of the members. */
const inputs = (calls: readonly RecordedCall[]) =>
  membersOf(calls)
    .toSorted((a, b) => String(a.body.model).localeCompare(String(b.body.model)))
    .map((call) => {
      const users = call.body.messages?.filter(({ role }) => role === 'user') ?? []
      expect(users).toHaveLength(1)
      return lastMessage(call)
    })

describe('auto_member_input', () => {
  test('on: in handoff the member gets the task written by the lead, and nothing else', async () => {
    const calls = await callsOf('handoff', {})
    expect(toolOf(calls[0])?.parameters).toMatchObject({
      required: ['member', 'task'],
      properties: { member: { enum: ['m1', 'm2', 'm3'] }, task: { type: 'string' } },
    })
    expect(calls[0]?.body).toMatchObject({ max_tokens: 1_000, temperature: 0 })
    expect(inputs(calls)).toEqual(['Rewritten for one.', 'Rewritten for two.'])
  })

  test('off: in handoff the member gets the user’s words, and the lead writes nothing', async () => {
    const calls = await callsOf('handoff', { auto_member_input: false })
    expect(toolOf(calls[0])?.parameters.required).toEqual(['member'])
    expect(Object.keys(toolOf(calls[0])?.parameters.properties ?? {})).toEqual(['member'])
    expect(calls[0]?.body).toMatchObject({ max_tokens: 200, temperature: 0 })
    expect(inputs(calls)).toEqual([WORDS, WORDS])
    expect(calls.map(everything).join()).not.toContain('Rewritten')
  })

  test('on: in dynamic-delegation each member gets its task', async () => {
    const calls = await callsOf('dynamic-delegation', {})
    expect(toolOf(calls[0])?.parameters.required).toEqual(['member', 'task'])
    expect(inputs(calls)).toEqual(['Rewritten for one.', 'Rewritten for two.'])
  })

  test('off: in dynamic-delegation each member gets the user’s words, once', async () => {
    const own = await team('dynamic-delegation', { auto_member_input: false })
    setting.play({
      lead: [delegate(['m1', null]), delegate(['m1', 'Ignored.'], ['m2', null]), 'The answer.'],
      m1: 'Said by Ada.',
      m2: 'Said by Ben.',
    })
    await setting.result(own, { message: WORDS })
    const calls = setting.calls()
    expect(Object.keys(toolOf(calls[0])?.parameters.properties ?? {})).toEqual(['member'])
    expect(inputs(calls)).toEqual([WORDS, WORDS])
    const [refused, given] = conversation(calls.at(-1)).slice(-2)
    expect(refused).toBe(
      'tool: {"error":{"code":"denied","message":"m1 (Ada) already has the message; its result is call_0_0."}}',
    )
    expect(given).toContain('Said by Ben.')
  })

  test('on: in parallel every member gets the one request written by the lead', async () => {
    const calls = await callsOf('parallel', {})
    expect(leadsOf(calls).map(purposeOf)).toEqual(['broadcast', 'synthesis'])
    expect(calls[0]?.body).toMatchObject({ max_tokens: 1_500, temperature: 0 })
    expect(inputs(calls)).toEqual(Array(3).fill('Rewritten for all.'))
  })

  test('off: in parallel every member gets the user’s words, and the lead writes the synthesis only', async () => {
    const calls = await callsOf('parallel', { auto_member_input: false })
    expect(leadsOf(calls).map(purposeOf)).toEqual(['synthesis'])
    expect(inputs(calls)).toEqual([WORDS, WORDS, WORDS])
  })

  test('on: in plan-execute the assignee gets the description of its task', async () => {
    const [first, second, third] = inputs(await callsOf('plan-execute', {}))
    expect([first, second]).toEqual(['The first task.', 'The second task.'])
    expect(third).toMatch(/<task>\nThe third task\.\n<\/task>$/)
  })

  test('off: in plan-execute the assignee gets the user’s words with its task', async () => {
    const [first, second, third] = inputs(await callsOf('plan-execute', { auto_member_input: false }))
    const worded = (text: string) => `${WORDS}\n\n<assigned_task>\n${text}\n</assigned_task>`
    expect([first, second]).toEqual([worded('The first task.'), worded('The second task.')])
    expect(third?.endsWith(`<task>\n${worded('The third task.')}\n</task>`)).toBe(true)
  })

  test('a single possible member gets the user’s words, for any toggle', async () => {
    const own = await setting.team('handoff', { promoted: false, members: ['Ada', 'Ben'] })
    setting.play({ lead: [route('m1', 'Rewritten for one.')], m1: BROKEN, m2: 'B' })
    await setting.result(own, { message: WORDS })
    expect(lastMessage(setting.calls('m2')[0])).toBe(WORDS)
  })
})

describe('members_see_team_history', () => {
  const ANSWERS: Record<CoordinationMode, string> = {
    handoff: 'Said by Ben.',
    'dynamic-delegation': 'The answer.',
    parallel: 'The answer.',
    'plan-execute': 'The answer.\n\nGoal completed: no',
  }

  test.for(COORDINATION_MODES)('on: in %s every member sees earlier questions and answers', async (mode) => {
    const calls = await callsOf(mode, { members_see_team_history: true })
    expect(membersOf(calls).length).toBeGreaterThan(1)
    for (const input of inputs(calls)) {
      expect(input.startsWith('<team_history>\nUser: Earlier question.\nTeam: ')).toBe(true)
      expect(input).toMatch(/<task>\n[\s\S]+\n<\/task>$/)
    }
    if (mode !== 'plan-execute') expect(inputs(calls)[0]).toContain(`Team: ${ANSWERS[mode]}\n`)
  })

  test.for(COORDINATION_MODES)('in %s it changes no call of the lead', async (mode) => {
    const on = leadsOf(await callsOf(mode, { members_see_team_history: true }))
    const off = leadsOf(await callsOf(mode, {}))
    expect(comparable(on)).toEqual(comparable(off))
  })

  test.for(COORDINATION_MODES)('off: in %s no member sees any of it', async (mode) => {
    const calls = await callsOf(mode, {})
    for (const call of membersOf(calls)) expect(everything(call)).not.toMatch(/Earlier question|team_history/)
    expect(conversation(leadsOf(calls)[0])).toContain('user: Earlier question.')
  })

  test('on: in a new session the message has no history block', async () => {
    const own = await team('parallel', { members_see_team_history: true })
    setting.play(CASTS.parallel)
    await setting.result(own, { message: WORDS })
    expect(inputs(setting.calls())).toEqual(Array(3).fill('Rewritten for all.'))
  })

  test('on: the newest turns that fit are shown completely, oldest first; a limit of 0 shows none', async () => {
    for (const [history_tokens, shown] of [
      [60, ['two', 'three']],
      [8_000, ['one', 'two', 'three']],
      [0, []],
    ] as const) {
      const own = await setting.team('handoff', {
        config: { toggles: { members_see_team_history: true }, limits: { history_tokens } },
      })
      const session_id = newSession()
      setting.play({ lead: route('m1', 'x'), m1: 'Yes.' })
      for (const word of ['one', 'two', 'three', 'now']) {
        await setting.result(own, { message: `${word} ${'-'.repeat(60)}`, session_id })
      }
      const input = lastMessage(setting.calls('m1').at(-1))
      expect([...input.matchAll(/^User: (\w+)/gm)].map(([, word]) => word)).toEqual(shown)
      if (shown.length === 0) expect(input).toBe('x')
    }
  })

  test('on: runs that failed or were cancelled are not turns', async () => {
    const own = await team('handoff', { members_see_team_history: true })
    const session_id = newSession()
    setting.play({ lead: BROKEN })
    await setting.run(own, { message: 'Failed question.', session_id })
    setting.play({ lead: route('m1', 'x'), m1: 'Yes.' })
    await setting.result(own, { message: WORDS, session_id })
    expect(lastMessage(setting.calls('m1')[0])).toBe('x')
  })
})

describe('share_member_interactions', () => {
  test('on: in handoff the second member sees the task and the failure of the first', async () => {
    const [first, second] = inputs(await callsOf('handoff', { share_member_interactions: true }))
    expect(first).toBe('Rewritten for one.')
    expect(second).toMatch(
      /^<member_interactions>\n<interaction member="m1 \(Ada\)">\nTask: Rewritten for one\.\nResponse: \(failed: .+\)\n<\/interaction>\n<\/member_interactions>\n\n<task>\nRewritten for two\.\n<\/task>$/,
    )
    expect(second).not.toContain('exploded')
  })

  test('on: in handoff a message without a reroute is the same as with the toggle off', async () => {
    const both = await Promise.all(
      [true, false].map((share_member_interactions) => team('handoff', { share_member_interactions })),
    )
    const compared = []
    for (const own of both) {
      setting.play({ lead: route('m1', 'x'), m1: 'A' })
      await setting.result(own, { message: WORDS })
      compared.push(comparable(setting.calls()))
    }
    expect(compared[0]).toEqual(compared[1])
  })

  test('on: in dynamic-delegation a later member sees the tasks and answers of earlier ones', async () => {
    const [first, second] = inputs(await callsOf('dynamic-delegation', { share_member_interactions: true }))
    expect(first).toBe('Rewritten for one.')
    expect(second).toBe(
      '<member_interactions>\n<interaction member="m1 (Ada)">\nTask: Rewritten for one.\nResponse: Said by Ada.\n' +
        '</interaction>\n</member_interactions>\n\n<task>\nRewritten for two.\n</task>',
    )
  })

  test('on: in dynamic-delegation members of one step do not see each other', async () => {
    const own = await team('dynamic-delegation', { share_member_interactions: true })
    setting.play({
      lead: [delegate(['m1', 'One.'], ['m2', 'Two.']), 'The answer.'],
      m1: 'Said by Ada.',
      m2: { text: 'Said by Ben.', headersDelayMs: 50 },
    })
    await setting.result(own, { message: WORDS })
    expect(inputs(setting.calls())).toEqual(['One.', 'Two.'])
  })

  test('on: in dynamic-delegation a long answer is shared by its head and tail', async () => {
    const own = await team('dynamic-delegation', { share_member_interactions: true })
    setting.play({
      lead: [delegate(['m1', 'One.']), delegate(['m2', 'Two.']), 'The answer.'],
      m1: `HEAD${'x'.repeat(40_000)}TAIL`,
      m2: 'Said by Ben.',
    })
    await setting.result(own, { message: WORDS })
    const shared = lastMessage(setting.calls('m2')[0])
    expect(shared).toContain('HEAD')
    expect(shared).toContain('TAIL')
    expect(Buffer.byteLength(shared)).toBeLessThan(4_000 * 3.5 + 500)
  })

  test('in parallel it has no effect', async () => {
    const on = await callsOf('parallel', { share_member_interactions: true })
    expect(comparable(on)).toEqual(comparable(await callsOf('parallel', {})))
  })

  test('on: in plan-execute a task sees every completed one, off: its dependencies', async () => {
    const third = async (share_member_interactions: boolean) =>
      inputs(await callsOf('plan-execute', { share_member_interactions })).at(2) ?? ''
    const seen = (input: string) =>
      [...input.matchAll(/<interaction member="(.+?)">\nTask: (\S+)/g)].map(
        ([, member, id]) => `${member} ${id}`,
      )
    expect(seen(await third(false))).toEqual(['m1 (Ada) t1'])
    expect(seen(await third(true))).toEqual(['m1 (Ada) t1', 'm2 (Ben) t2'])
  })

  test.for(COORDINATION_MODES)('in %s it changes no call of the lead', async (mode) => {
    const on = leadsOf(await callsOf(mode, { share_member_interactions: true }))
    expect(comparable(on)).toEqual(comparable(leadsOf(await callsOf(mode, {}))))
  })
})

describe.for([
  ['add_team_name', /Team: Desk/, 'Team: Desk'],
  ['add_datetime', /Current time: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, 'Current time: '],
] as const)('%s', ([toggle, line, prefix]) => {
  test.for(
    COORDINATION_MODES,
  )('on: in %s lead and members get it, and nothing else changes', async (mode) => {
    const on = await callsOf(mode, { [toggle]: true })
    const off = await callsOf(mode, {})
    for (const call of leadsOf(on)) {
      expect(systemOf(call)).toMatch(new RegExp(`<context>\\n${line.source}\\n</context>$`))
    }
    for (const call of membersOf(on)) {
      const last = lastMessage(call)
      expect(last).toMatch(new RegExp(`^<team_context>\\n${line.source}\\n</team_context>\\n\\n`))
      expect(last).toMatch(/<task>\n[\s\S]+\n<\/task>$/)
    }
    for (const call of off) expect(everything(call)).not.toContain(prefix)

    const without = (calls: readonly RecordedCall[]) =>
      comparable(calls).map((text) =>
        text
          .replaceAll(new RegExp(`\\\\n\\\\n<context>\\\\n${line.source}\\\\n</context>`, 'g'), '')
          .replaceAll(new RegExp(`<team_context>\\\\n${line.source}\\\\n</team_context>\\\\n\\\\n`, 'g'), '')
          .replaceAll(/"<task>\\n(.*?)\\n<\/task>"/g, '"$1"'),
      )
    const bare = (calls: readonly RecordedCall[]) => without(calls).toSorted()
    expect(bare(on)).toEqual(bare(off))
  })
})

test('team name and clock are together, the clock last, with the same clock for all', async () => {
  const calls = await callsOf('plan-execute', { add_team_name: true, add_datetime: true })
  const told = calls.map((call) => /Team: Desk\nCurrent time: (\S+)/.exec(everything(call))?.[1])
  expect(new Set(told).size).toBe(1)
  expect(Date.now() - Date.parse(told[0] ?? '')).toBeLessThan(20_000)
})

test('every block has one order: context, history, interactions, task', async () => {
  const calls = await callsOf('dynamic-delegation', {
    add_team_name: true,
    members_see_team_history: true,
    share_member_interactions: true,
  })
  const second = inputs(calls)[1] ?? ''
  const blocks = [...second.matchAll(/^<(team_context|team_history|member_interactions|task)>$/gm)]
  expect(blocks.map(([, name]) => name)).toEqual([
    'team_context',
    'team_history',
    'member_interactions',
    'task',
  ])
})
