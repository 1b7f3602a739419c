import { newId, SessionRowId, type TeamConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { StoredSessionState } from '../../ports/session-state.ts'
import { agentIdOf, CREW, RunKit } from '../../testing/run-kit.ts'
import { chainFailed, type Reply, type ScriptedCall } from '../../testing/scripted-model.ts'
import { broadcast, delegate, plan, review, route } from '../testing/lead-replies.ts'

type Toggles = TeamConfig['toggles']
type Mode = TeamConfig['mode']

const NAMES = [
  'auto_member_input',
  'members_see_team_history',
  'share_member_interactions',
  'add_team_name',
  'add_datetime',
] as const
const EVERY: Toggles[] = Array.from(
  { length: 2 ** NAMES.length },
  (_, bits) =>
    Object.fromEntries(NAMES.map((name, index) => [name, Boolean(bits & (1 << index))])) as Toggles,
)
const EVERY_MODE: Mode[] = ['handoff', 'dynamic-delegation', 'parallel', 'plan-execute']
const CASES = EVERY_MODE.map((mode) => ({ mode }))

const agents = ['Ada', 'Ben', 'Cy'].map((name) => ({ name }))
const acceptedAt = Date.parse('2026-01-02T03:04:05Z')
const STATE: StoredSessionState = {
  sessionRowId: newId(SessionRowId),
  ownerUserId: 'user',
  summary: { text: 'SUMMARY', coversSeq: 1, version: 1 },
  history: [
    { seq: 2, status: 'completed', input: 'OLD-ONE', content: 'ANSWER-ONE', answeredBy: agentIdOf('Ben') },
    { seq: 3, status: 'cancelled', input: 'STOPPED', content: 'PART', answeredBy: null },
    { seq: 4, status: 'completed', input: 'OLD-TWO', content: 'ANSWER-TWO', answeredBy: null },
  ],
  unsummarisedBytes: 100,
}

/** One script of each mode in which a second member could see the work of the first. */
function script(mode: Mode, { auto_member_input: auto }: Toggles): (call: ScriptedCall) => Reply {
  return ({ agent, forced, results, asked }) => {
    if (agent === 'Ada') return mode === 'handoff' ? chainFailed('DOWN') : 'RESULT-ADA'
    if (agent !== CREW) return `RESULT-${agent}`
    if (forced === 'route') return auto ? route('m1', 'TASK') : { call: 'route', input: { member: 'm1' } }
    if (forced === 'broadcast') return broadcast('TASK')
    if (forced === 'submit_plan') return plan('t1 m1', 't2 m2')
    if (forced === 'review') {
      return asked.includes('RESULT-ADA') ? review('complete', { evidence: ['t1'] }) : review('continue')
    }
    if (mode !== 'dynamic-delegation' || results.length === 2) return 'LAST'
    const member = results.length === 0 ? 'm1' : 'm2'
    return auto ? delegate(`${member}: TASK`) : { call: 'delegate', input: { member } }
  }
}

async function promptsOf(mode: Mode, toggles: Toggles): Promise<ScriptedCall[]> {
  const members =
    mode === 'handoff' ? ['Ada', 'Ben'] : ['Ada', 'Ben', 'Cy'].slice(0, mode === 'parallel' ? 3 : 2)
  await using kit = new RunKit({ agents, team: { mode, members, toggles }, respond: script(mode, toggles) })
  kit.store.state = STATE
  const result = await kit.run({ acceptedAt, sessionId: 's' })
  expect(result).toMatchObject({ success: true })
  return kit.models.calls
}

/** The message that the document promises to a member. */
function promised(toggles: Toggles, task: string, interactions: string | null): string {
  const context = [
    ...(toggles.add_team_name ? ['Team: Crew'] : []),
    ...(toggles.add_datetime ? ['Current time: 2026-01-02T03:04:05.000Z'] : []),
  ]
  const history =
    'Summary of earlier turns, may be outdated: SUMMARY\n\n' +
    'User: OLD-ONE\nTeam: ANSWER-ONE\n\nUser: OLD-TWO\nTeam: ANSWER-TWO'
  const blocks = [
    ...(context.length > 0 ? [`<team_context>\n${context.join('\n')}\n</team_context>`] : []),
    ...(toggles.members_see_team_history ? [`<team_history>\n${history}\n</team_history>`] : []),
    ...(interactions === null ? [] : [`<member_interactions>\n${interactions}\n</member_interactions>`]),
  ]
  return blocks.length === 0 ? task : [...blocks, `<task>\n${task}\n</task>`].join('\n\n')
}

const interaction = (member: string, task: string, response: string) =>
  `<interaction member="${member}">\nTask: ${task}\nResponse: ${response}\n</interaction>`

/** The expected inputs of the first and the second member of a mode. */
function expectedInputs(mode: Mode, toggles: Toggles): [string, string] {
  const { auto_member_input: auto, share_member_interactions: shared } = toggles
  const task = auto ? 'TASK' : 'MESSAGE'
  const first = (text: string) => promised(toggles, text, null)
  switch (mode) {
    case 'handoff':
      // The remaining member is not chosen, so the message is not rewritten.
      return [
        first(task),
        promised(toggles, 'MESSAGE', shared ? interaction('m1 (Ada)', task, '(failed: DOWN)') : null),
      ]
    case 'dynamic-delegation':
      return [
        first(task),
        promised(toggles, task, shared ? interaction('m1 (Ada)', task, 'RESULT-ADA') : null),
      ]
    case 'parallel':
      return [first(task), first(task)]
    case 'plan-execute': {
      const wording = (id: string) =>
        auto ? `DO-${id}` : `MESSAGE\n\n<assigned_task>\nDO-${id}\n</assigned_task>`
      return [first(wording('t1')), first(wording('t2'))]
    }
    default:
      return mode satisfies never
  }
}

test.each(CASES)('$mode: for any toggles, members get exactly the documented message', async ({ mode }) => {
  for (const toggles of EVERY) {
    const calls = await promptsOf(mode, toggles)
    const inputs = ['Ada', 'Ben'].map((name) =>
      calls.filter(({ agent }) => agent === name).map((call) => call.asked),
    )
    expect({ toggles, inputs }).toEqual({
      toggles,
      inputs: expectedInputs(mode, toggles).map((text) => [text]),
    })
  }
})

test.each(
  CASES,
)('$mode: a member gets its own instructions and one message, and no prompt holds more than it must', async ({
  mode,
}) => {
  for (const toggles of EVERY) {
    for (const { agent, system, prompt } of await promptsOf(mode, toggles)) {
      const text = JSON.stringify(prompt)
      const owner = agent === CREW ? 'LEAD' : agent
      expect(text.match(/INSTRUCTIONS-OF-\w+/g)).toEqual([`INSTRUCTIONS-OF-${owner}`])
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
      if (agent === CREW) continue
      expect(system).toBe(`INSTRUCTIONS-OF-${agent}`)
      expect(prompt.map(({ role }) => role)).toEqual(['system', 'user'])
    }
  }
})

test.each(
  CASES,
)('$mode: the lead sees the name of the team and the time, last, only if that is enabled', async ({
  mode,
}) => {
  const off = { ...EVERY[0] } as Toggles
  const context = async (change: Partial<Toggles>) => {
    const calls = await promptsOf(mode, { ...off, ...change })
    const systems = new Set(
      calls
        .filter(({ agent }) => agent === CREW)
        .map(({ system }) => /<context>\n([\s\S]*)\n<\/context>$/.exec(system)?.[1]),
    )
    return [...systems]
  }
  expect(await context({})).toEqual([undefined])
  expect(await context({ add_team_name: true })).toEqual(['Team: Crew'])
  expect(await context({ add_team_name: true, add_datetime: true })).toEqual([
    'Team: Crew\nCurrent time: 2026-01-02T03:04:05.000Z',
  ])
})

const NO_EFFECT: [Mode, keyof Toggles][] = [['parallel', 'share_member_interactions']]
test.each(NO_EFFECT)('%s: %s has no effect', async (mode, toggle) => {
  const texts = async (toggles: Toggles) =>
    (await promptsOf(mode, toggles)).map(({ agent, prompt, options }) =>
      JSON.stringify([agent, prompt, options.tools, options.toolChoice]),
    )
  for (const toggles of EVERY) {
    expect(await texts({ ...toggles, [toggle]: true })).toEqual(await texts({ ...toggles, [toggle]: false }))
  }
})

test.each(CASES)('$mode: the context of members changes nothing for the lead', async ({ mode }) => {
  const lead = async (toggles: Toggles) =>
    (await promptsOf(mode, toggles)).filter(({ agent }) => agent === CREW).map(({ prompt }) => prompt)
  for (const auto_member_input of [true, false]) {
    const off = { ...(EVERY[0] as Toggles), auto_member_input }
    const on = { ...off, members_see_team_history: true, share_member_interactions: true }
    expect(await lead(on)).toEqual(await lead(off))
  }
})
