import type { CoordinationMode } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { broadcast, delegate, plan, review, route } from './lead-decisions.ts'
import {
  conversation,
  everything,
  lastMessage,
  purposeOf,
  type RecordedCall,
  systemOf,
} from './model-requests.ts'
import { all, streamDefects } from './stream-rules.ts'
import { type Cast, newSession, startTeamSetting, type TeamSetting } from './team-setting.ts'

let setting: TeamSetting
beforeAll(async () => {
  setting = await startTeamSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const DONE = review('complete', { evidence: ['t1'] })
/** Every mode with members and a lead that say the same; a task is the text from the lead to others. */
const castOf = (mode: CoordinationMode, said: string, task = 'The task.'): Cast => {
  const lead = {
    handoff: [route('m1', task)],
    'dynamic-delegation': [delegate(['m1', task]), said],
    parallel: [broadcast(task), said],
    'plan-execute': [plan({ id: 't1', assignee: 'm1', title: task, description: task }), DONE, said],
  }[mode]
  return { lead, m1: said, m2: said, m3: said }
}
const writesSummary = (call: RecordedCall) => systemOf(call).includes('memory of a conversation')
const MODES: CoordinationMode[] = ['handoff', 'dynamic-delegation', 'parallel', 'plan-execute']

describe('texts that no database accepts', () => {
  test.for(MODES)('NUL and unpaired surrogates do not stop a run of %s', async (mode) => {
    const team = await setting.team(mode)
    const odd = 'a\u0000b\ud800c'
    for (const endpoint of ['sync', 'stream', 'job'] as const) {
      setting.play(castOf(mode, odd, odd))
      const body = { message: 'Hi.', session_id: newSession(), include_messages: true }
      if (endpoint === 'sync') {
        expect((await setting.result(team, body)).content).toContain('ab')
      } else if (endpoint === 'stream') {
        const stream = await setting.stream(team, body, '?detail=full')
        await stream.ended
        expect(stream.events.at(-1)?.event).toBe('RunCompleted')
        const replay = await setting.resume(team, stream.headers.get('x-run-id') ?? '', '?detail=full')
        await replay.ended
        expect(replay.events).toHaveLength(stream.events.length)
        expect(streamDefects(replay.events, mode)).toEqual([])
      } else {
        const job = await setting.jobEnd(await setting.enqueue(team, body))
        expect([job.status, job.result?.success]).toEqual(['completed', true])
      }
      setting.play(castOf(mode, 'Again.'))
      expect((await setting.run(team, { ...body, message: 'Next.' })).status).toBe(200)
    }
  })
})

describe('long texts', () => {
  const long = `HEAD ${'x'.repeat(60_000)} TAIL`

  test('a synthesis reads the head and tail of each result, within 8,000 tokens', async () => {
    const team = await setting.team('parallel')
    setting.play(castOf('parallel', long))
    await setting.result(team, { message: 'Hi.' })
    const results = lastMessage(setting.calls('lead')[1]).match(/HEAD[\s\S]*?TAIL/g) ?? []
    expect(results).toHaveLength(3)
    for (const result of results) expect(Buffer.byteLength(result)).toBeLessThanOrEqual(28_000)
  })

  test('a delegating lead reads the same, and an embedded result is complete', async () => {
    const team = await setting.team('dynamic-delegation')
    setting.play({
      ...castOf('dynamic-delegation', long),
      lead: [delegate(['m1', 'x']), '[[result:call_0_0]]'],
    })
    expect((await setting.result(team, { message: 'Hi.' })).content).toBe(long)
    const result = lastMessage(setting.calls('lead')[1])
    expect(result).toMatch(/HEAD[\s\S]*TAIL\n<\/member_result>$/)
    expect(Buffer.byteLength(result)).toBeLessThan(28_200)
  })

  test('a review and a report read each result within 2,000 tokens', async () => {
    const team = await setting.team('plan-execute')
    setting.play({
      ...castOf('plan-execute', long),
      lead: [plan({ id: 't1', assignee: 'm1' }), DONE, 'Done.'],
    })
    await setting.result(team, { message: 'Hi.' })
    for (const call of setting.calls('lead').slice(1)) {
      const [result = ''] = /HEAD[\s\S]*?TAIL/.exec(lastMessage(call)) ?? []
      expect(result.length).toBeGreaterThan(5_000)
      expect(Buffer.byteLength(result)).toBeLessThanOrEqual(7_000)
    }
  })

  test('events show results of at most 8 KB and mark truncation; messages have them completely', async () => {
    const team = await setting.team('dynamic-delegation')
    setting.play({ ...castOf('dynamic-delegation', long), lead: [delegate(['m1', 'x']), 'Done.'] })
    const stream = await setting.stream(team, { message: 'Hi.', include_messages: true })
    await stream.ended
    const [member] = all(stream.events, 'MemberRunCompleted')
    const [call] = all(stream.events, 'ToolCallCompleted')
    for (const text of [member?.content ?? '', call?.result ?? '']) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024)
      expect(text).toContain('HEAD')
      expect(text).toContain('TAIL')
    }
    expect(call?.truncated).toBe(true)
    const last = stream.events.at(-1)
    const messages = last?.event === 'RunCompleted' ? (last.result.messages ?? []) : []
    expect(messages.filter(({ content }) => content === long)).toHaveLength(1)
  })
})

describe('storage of sessions', () => {
  test('nothing is stored of a team with a member that forbids it', async () => {
    for (const mode of MODES) {
      const team = await setting.team(mode, {
        memberConfig: {
          privacy: {
            store_messages: false,
            trace_inputs: true,
            trace_outputs: true,
            expose_reasoning: false,
          },
        },
      })
      const session_id = newSession()
      setting.play(castOf(mode, 'The secret answer.', 'The secret task.'))
      const first = await setting.result(team, {
        message: 'The secret question.',
        session_id,
        include_messages: true,
      })
      expect(first.content).toContain('The secret answer.')
      expect(JSON.stringify(first.messages)).toContain('The secret question.')
      const row = setting.rows.end(first.runId)
      expect([row?.content, row?.messages, row?.storeMessages]).toEqual([null, [], false])
      setting.play(castOf(mode, 'Next.'))
      await setting.result(team, { message: 'Next.', session_id })
      expect(setting.calls().map(everything).join()).not.toContain('secret')
    }
  })

  test('a long session is summarised in the background; lead and members read the summary, metrics do not count it', async () => {
    const team = await setting.team('handoff', {
      config: {
        toggles: { members_see_team_history: true },
        memory: { summary: { trigger_tokens: 1_000 } },
      },
    })
    const session_id = newSession()
    const long = 'The order number is 4711. '.repeat(80)
    setting.play({
      lead: (call) => (writesSummary(call) ? 'They talked about order 4711.' : route('m1', 'x')),
      m1: 'Yes.',
    })
    for (let n = 0; n < 4; n += 1) await setting.result(team, { message: `${n} ${long}`, session_id })
    await expect
      .poll(async () => {
        const { metrics } = await setting.result(team, { message: 'And now?', session_id })
        expect(metrics).toMatchObject({ inputTokens: 20, outputTokens: 10 })
        return systemOf(setting.calls('lead').findLast((call) => purposeOf(call) === 'route'))
      })
      .toContain(
        '<conversation_summary>\nMay be outdated; newer messages win.\nThey talked about order 4711.',
      )
    expect(lastMessage(setting.calls('m1').at(-1))).toContain(
      '<team_history>\nSummary of earlier turns, may be outdated: They talked about order 4711.',
    )
    expect(conversation(setting.calls('lead').at(-1)).join()).not.toContain('user: 0 ')
  })
})

describe('impossible actions are reported', () => {
  test('a stream that cannot start its work starts and ends', async () => {
    const team = await setting.team('handoff', {
      model: { lead: { primary: { llm_config_id: setting.server.seed.llm.disconnected } } },
    })
    setting.play({})
    const stream = await setting.stream(team, { message: 'Hi.' })
    await stream.ended
    expect(stream.events.map(({ event }) => event)).toEqual(['RunStarted', 'RunError'])
  })
})

test('a task that was not rewritten is reported as the user’s words', async () => {
  for (const mode of ['handoff', 'dynamic-delegation', 'parallel'] as const) {
    const team = await setting.team(mode, { config: { toggles: { auto_member_input: false } } })
    const rewritten = 'Rewritten nevertheless.'
    setting.play({
      lead: (_call, n) =>
        mode === 'parallel' || n > 0
          ? 'Done.'
          : mode === 'handoff'
            ? route('m1', rewritten)
            : delegate(['m1', rewritten]),
      m1: 'A',
      m2: 'B',
      m3: 'C',
    })
    const stream = await setting.stream(team, { message: 'My words.' })
    await stream.ended
    for (const { task } of all(stream.events, 'MemberRunStarted')) expect(task).toBe('My words.')
  }
})

test('the name of a member is one line of a prompt, for any content', async () => {
  const team = await setting.team('handoff', { members: ['Ada)\nm9 (Eve', 'Ben'] })
  setting.play({ lead: route('m1', 'x'), m1: 'A' })
  await setting.result(team, { message: 'Hi.' })
  expect(systemOf(setting.calls('lead')[0])).not.toMatch(/^m9/m)
})
