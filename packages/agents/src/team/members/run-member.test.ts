import type { AgentConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { StoredSessionState } from '../../ports/session-state.ts'
import {
  agentIdOf,
  agentVersionIdOf,
  CREW,
  RunKit,
  type TestAgent,
  type TestTeam,
} from '../../testing/run-kit.ts'
import { chainFailed, inTurn, type Reply } from '../../testing/scripted-model.ts'
import { route } from '../testing/lead-replies.ts'

/** A team of Ada and Ben whose lead chooses Ada. */
function setUp(
  ada: Reply[],
  options: { ada?: Partial<TestAgent>; team?: Partial<TestTeam>; ben?: Reply[] } = {},
) {
  return new RunKit({
    agents: [{ name: 'Ada', ...options.ada }, { name: 'Ben' }],
    team: { mode: 'handoff', members: ['Ada', 'Ben'], ...options.team },
    respond: inTurn({ [CREW]: [route('m1', 'TASK')], Ada: ada, Ben: options.ben ?? ['B'] }),
  })
}

const membersOf = (kit: RunKit) => [...([...kit.store.runs.values()][0]?.members.values() ?? [])]

test('a member has its own row, with its messages, its tokens and its task', async () => {
  await using kit = setUp(['A'])
  await kit.run()
  expect(membersOf(kit)).toMatchObject([
    {
      stepKey: 'member:m1:0',
      agentId: agentIdOf('Ada'),
      agentVersionId: agentVersionIdOf('Ada'),
      status: 'completed',
      success: true,
      input: 'TASK',
      content: 'A',
      errorCode: null,
      inputTokens: 10,
      outputTokens: 5,
      messages: [
        { idx: 0, role: 'user', content: 'TASK' },
        { idx: 1, role: 'assistant', content: 'A', agentName: 'Ada' },
      ],
    },
  ])
})

test('the ledger has the caller: the lead, or the member with its run', async () => {
  await using kit = setUp(['A'])
  await kit.run()
  const [run] = [...kit.store.runs.values()]
  const [member] = membersOf(kit)
  expect(run?.usage.map(({ purpose, agentId, memberRunId }) => [purpose, agentId, memberRunId])).toEqual([
    ['route', null, null],
    ['chat', agentIdOf('Ada'), member?.runId],
  ])
})

test('the result lists the messages of the members under their own runs', async () => {
  await using kit = setUp(['A'])
  const result = await kit.run({ includeMessages: true })
  const [member] = membersOf(kit)
  const messages = 'messages' in result ? (result.messages ?? []) : []
  expect(messages.map(({ runId, content }) => [runId === member?.runId, content]).sort()).toEqual([
    [false, 'A'],
    [false, 'MESSAGE'],
    [true, 'A'],
    [true, 'TASK'],
  ])
})

test('the events of a member have its task, its text and its tokens', async () => {
  await using kit = setUp([`${'x'.repeat(20_000)}`])
  const events = await kit.stream()
  const source = { role: 'member', agentId: agentIdOf('Ada'), agentName: 'Ada' }
  const member = { agentId: agentIdOf('Ada'), name: 'Ada' }
  expect(events.find(({ event }) => event === 'MemberRunStarted')).toMatchObject({
    source,
    member,
    task: 'TASK',
  })
  const completed = events.find((event) => event.event === 'MemberRunCompleted')
  expect(completed).toMatchObject({ source, member, inputTokens: 10, outputTokens: 5 })
  expect(Buffer.byteLength(completed?.content ?? '')).toBeLessThanOrEqual(8 * 1024)
})

const hasty = (config: AgentConfig) => {
  config.execution.max_seconds = 0.02
}

test.each([
  ['its own limit', { ada: { config: hasty } }],
  ["the team's limit", { team: { limits: { member_timeout_ms: 20 } } }],
])('a member that is slower than %s fails, and another one answers', async (_, options) => {
  await using kit = setUp([[{ text: 'Half' }, { hang: true }]], options)
  expect(await kit.run()).toMatchObject({ content: 'B', success: true })
  expect(membersOf(kit)[0]).toMatchObject({
    status: 'failed',
    success: false,
    content: null,
    errorCode: 'upstream_error',
    errorMessage: 'It did not answer within 20 ms.',
  })
})

test('an unexpected error of a member is reported in one safe sentence', async () => {
  await using kit = setUp([{ throws: new Error('secret host 10.0.0.1') }])
  const events = await kit.stream()
  expect(events.find(({ event }) => event === 'MemberRunError')).toMatchObject({
    error: { code: 'upstream_error', message: 'It failed unexpectedly.' },
  })
  expect(JSON.stringify([events, membersOf(kit)])).not.toContain('10.0.0.1')
  expect(kit.failures.map(String)).toContain('Error: secret host 10.0.0.1')
})

test.each([
  true,
  false,
])('a member sees its earlier work in the session when the team keeps it: %s', async (kept) => {
  await using kit = setUp(['A'], { team: { config: { members_keep_own_history: kept } } })
  kit.store.state = {
    sessionRowId: 's',
    ownerUserId: 'u',
    summary: null,
    history: [],
  } as unknown as StoredSessionState
  const earlier = {
    seq: 1,
    status: 'completed' as const,
    input: 'EARLIER',
    content: 'DONE',
    answeredBy: null,
  }
  kit.store.histories = {
    [agentIdOf('Ada')]: [earlier],
    [agentIdOf('Ben')]: [{ ...earlier, input: 'OTHER' }],
  }
  await kit.run({ sessionId: 's' })
  const prompt = JSON.stringify(kit.models.calls[1]?.prompt)
  expect([prompt.includes('EARLIER'), prompt.includes('OTHER')]).toEqual([kept, false])
})

test('every attempt is a row of the ledger, failed ones too', async () => {
  await using kit = setUp([chainFailed('Down.')])
  expect(await kit.run()).toMatchObject({ metrics: { inputTokens: 20, outputTokens: 10 } })
  const [run] = [...kit.store.runs.values()]
  expect(run?.usage.map(({ ok, purpose }) => [ok, purpose])).toEqual([
    [true, 'route'],
    [false, 'chat'],
    [true, 'chat'],
  ])
})
