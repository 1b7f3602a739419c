import type { StreamEvent } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reduceRun } from './reduce-run.ts'
import { answerOf, NEW_RUN, type RunView, runTokens } from './run-view.ts'

const RUN = '11111111-1111-4111-8111-111111111111'
const LANES = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333']

type Told = Record<string, unknown> & { event: StreamEvent['event'] }

/** Received data has the shape of an event because the server created it; here it is built manually. */
function numbered(told: readonly Told[]): StreamEvent[] {
  return told.map(
    (one, index) => ({ runId: RUN, seq: index + 1, createdAt: 1, ...one }) as unknown as StreamEvent,
  )
}

const sourceOf = (lane: string | null) =>
  lane === null
    ? { role: 'lead', agentId: null, agentName: 'Lead', runId: RUN }
    : { role: 'member', agentId: lane, agentName: 'Member', runId: lane }

const anyLane = fc.constantFrom(null, ...LANES)
const anyMessage = fc.constantFrom('m1', 'm2', 'm3')
const anyCall = fc.constantFrom('c1', 'c2')

const anyEvent: fc.Arbitrary<Told> = anyLane.chain((lane) => {
  const source = sourceOf(lane)
  const within = (event: StreamEvent['event'], facts: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(facts).map((values): Told => ({ event, source, ...values }))
  // Ids of messages and calls are unique within a run.
  const own = (id: fc.Arbitrary<string>) => id.map((text) => `${lane ?? 'own'}-${text}`)
  const tool = { toolCallId: own(anyCall), toolName: fc.constant('look_up') }
  const member = {
    member: fc.constant({ agentId: LANES[0], name: 'Member' }),
    memberRunId: fc.constantFrom(...LANES),
  }
  const tokens = { inputTokens: fc.nat(50), outputTokens: fc.nat(50) }
  const error = fc.constant({ code: 'x', message: 'It failed.' })
  return fc.oneof(
    within('RunContent', {
      messageId: own(anyMessage),
      channel: fc.constantFrom('answer', 'trace'),
      delta: fc.string(),
    }),
    within('RunContentReset', {
      messageId: own(anyMessage),
      reason: fc.constantFrom('tool_calls', 'failover'),
    }),
    within('ReasoningDelta', { messageId: own(anyMessage), delta: fc.string() }),
    within('ToolCallStarted', { ...tool, args: fc.constant({ order: 7 }) }),
    within('ToolCallCompleted', {
      ...tool,
      result: fc.string(),
      truncated: fc.boolean(),
      durationMs: fc.nat(),
    }),
    within('ToolCallError', { ...tool, error }),
    within('ToolApprovalRequired', {
      ...tool,
      approvalId: fc.constant('a1'),
      args: fc.constant({}),
      expiresAt: fc.nat(),
    }),
    within('ToolApprovalResolved', {
      ...tool,
      approvalId: fc.constant('a1'),
      decision: fc.constantFrom('approved', 'denied', 'expired'),
      reason: fc.constant(null),
    }),
    within('MemberRunStarted', { ...member, task: fc.string() }),
    within('MemberRunCompleted', { ...member, ...tokens, content: fc.string() }),
    within('MemberRunError', { ...member, error }),
    within('ModelRequestStarted', { purpose: fc.constant('chat'), step: fc.nat() }),
    within('ModelRequestCompleted', { purpose: fc.constant('chat'), step: fc.nat(), ...tokens }),
    within('ModelFailover', { purpose: fc.constant('chat'), reason: fc.constant('rate_limit') }),
    within('TaskIterationStarted', { iteration: fc.nat(3), maxIterations: fc.constant(10) }),
    within('TaskUpdated', {
      task: fc.record({
        id: fc.constantFrom('t1', 't2'),
        title: fc.string(),
        status: fc.constant('running'),
      }),
    }),
  )
})

const started: Told = {
  event: 'RunStarted',
  kind: 'team',
  teamName: 'Desk',
  mode: 'parallel',
  sessionId: 's1',
}
const anyEnd = fc.constantFrom<Told>(
  { event: 'RunError', error: 'upstream_error', message: 'No.' },
  { event: 'RunCancelled', reason: 'user', content: '' },
)
const anyRun = fc
  .tuple(fc.array(anyEvent, { maxLength: 60 }), fc.option(anyEnd))
  .map(([events, end]) => numbered([started, ...events, ...(end ? [end] : [])]))

const read = (events: readonly StreamEvent[], from: RunView = NEW_RUN) =>
  events.reduce(reduceRun, frozen(from))

/** A state that cannot be changed in place. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const one of Object.values(value)) frozen(one)
  return Object.freeze(value)
}

test('a replay from any position before a cut has the same state as one reading', () => {
  fc.assert(
    fc.property(anyRun, fc.nat(80), fc.nat(80), (events, first, second) => {
      const cut = Math.min(first, events.length)
      const again = Math.min(second, cut)
      const broken = read(events.slice(0, cut))
      expect(read(events.slice(again), broken)).toEqual(read(events))
    }),
  )
})

test('no event changes a previous state', () => {
  fc.assert(
    fc.property(anyRun, (events) => {
      let state = frozen(NEW_RUN)
      for (const event of events) state = frozen(reduceRun(state, event))
      expect(state.lastSeq).toBe(events.length)
    }),
  )
})

test('the answer is every caller text that was not withdrawn', () => {
  fc.assert(
    fc.property(anyRun, (events) => {
      const withdrawn = new Map<string, number>()
      for (const event of events) {
        if (event.event === 'RunContentReset') withdrawn.set(event.messageId, event.seq)
      }
      const texts = new Map<string, string>()
      for (const event of events) {
        if (event.event !== 'RunContent') continue
        texts.set(event.messageId, (texts.get(event.messageId) ?? '') + event.delta)
      }
      const end = events.at(-1)
      fc.pre(end?.event !== 'RunCancelled')
      const shown = answerOf(read(events))
      for (const [messageId, text] of texts) {
        const first = events.find((event) => event.event === 'RunContent' && event.messageId === messageId)
        const isGone = (withdrawn.get(messageId) ?? 0) > (first?.seq ?? 0)
        // The channel of a message is that of its first text, and a withdrawal before it withdraws nothing.
        const isAnswer = first?.event === 'RunContent' && first.channel === 'answer'
        if (isAnswer && !isGone) expect(shown).toContain(text)
      }
    }),
  )
})

test('events of another run change nothing', () => {
  const state = read(numbered([started]))
  const [foreign] = numbered([{ ...started, runId: LANES[0] }])
  expect(foreign && reduceRun(state, { ...foreign, seq: 9 })).toBe(state)
})

test('after the end nothing is in progress', () => {
  fc.assert(
    fc.property(anyRun, (events) => {
      const last = events.at(-1)
      fc.pre(last?.event === 'RunError' || last?.event === 'RunCancelled')
      const { own, lanes } = read(events)
      expect(lanes.filter(({ state }) => state === 'running')).toEqual([])
      const steps = [own, ...lanes].flatMap((work) => work.steps)
      expect(steps.filter((step) => step.kind === 'tool' && step.state === 'running')).toEqual([])
      expect(own.purpose).toBeNull()
    }),
  )
})

test('a withdrawn text stays struck through, but is not an answer', () => {
  const source = sourceOf(null)
  const text = (messageId: string, delta: string) =>
    ({ event: 'RunContent', source, messageId, channel: 'answer', delta }) as const
  const state = read(
    numbered([
      started,
      text('m1', 'Let me '),
      text('m1', 'look.'),
      { event: 'RunContentReset', source, messageId: 'm1', reason: 'tool_calls' },
      text('m2', 'It is on its way.'),
    ]),
  )
  expect(answerOf(state)).toBe('It is on its way.')
  expect(state.own.steps[0]).toMatchObject({ text: 'Let me look.', withdrawn: 'tool_calls' })
})

test('a denied call is stopped and not failed', () => {
  const call = { source: sourceOf(null), toolCallId: 'c1', toolName: 'refund' }
  const state = read(
    numbered([
      started,
      { event: 'ToolApprovalRequired', ...call, approvalId: 'a1', args: { order: 7 }, expiresAt: 99 },
      { event: 'ToolApprovalResolved', ...call, approvalId: 'a1', decision: 'denied', reason: 'Too much' },
      { event: 'ToolCallError', ...call, error: { code: 'denied', message: 'Denied.' } },
    ]),
  )
  expect(state.own.steps).toMatchObject([
    {
      toolName: 'refund',
      args: { order: 7 },
      state: 'stopped',
      approval: { decision: 'denied', reason: 'Too much' },
    },
  ])
})

test('a member’s steps are in its lane, and its tokens are counted once', () => {
  const [lane = ''] = LANES
  const source = sourceOf(lane)
  const tokens = { inputTokens: 10, outputTokens: 4 }
  const member = { member: { agentId: lane, name: 'Billing' }, memberRunId: lane }
  const state = read(
    numbered([
      started,
      { event: 'MemberRunStarted', source, ...member, task: 'Refund order 7' },
      { event: 'ModelRequestStarted', source, purpose: 'chat', step: 1 },
      { event: 'RunContent', source, messageId: 'm1', channel: 'trace', delta: 'Done.' },
      { event: 'ModelRequestCompleted', source, purpose: 'chat', step: 1, ...tokens },
      { event: 'MemberRunCompleted', source, ...member, ...tokens, content: 'Done.' },
    ]),
  )
  expect(state.lanes).toMatchObject([
    { agentName: 'Billing', task: 'Refund order 7', state: 'completed', content: 'Done.', modelCalls: 1 },
  ])
  expect(state.own.steps).toEqual([{ kind: 'member', key: lane }])
  expect(runTokens(state)).toEqual(tokens)
})
