import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { AgentConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import { tool } from '../agent/testing/loop-setting.ts'
import type { HistoryRun, StoredSessionState } from '../ports/session-state.ts'
import { delegate, route } from '../team/testing/lead-replies.ts'
import { agentIdOf, CREW, type KitOptions, RunKit } from '../testing/run-kit.ts'
import { inTurn } from '../testing/scripted-model.ts'
import { jobWorker } from './testing/job-worker.ts'

const toolboxes = {
  open: async () => ({ tools: [tool('look')], [Symbol.asyncDispose]: async () => {} }),
}
const agents = [{ name: 'Ada' }, { name: 'Ben' }]
/** The result of the tool for the argument c. */
const LOOKED = 'look {"at":"c"}'

function earlier(seq: number, change: Partial<HistoryRun> = {}): HistoryRun {
  const calls = [
    { id: 'call_0_0', name: 'look', arguments: { at: 'a' }, result: 'SEEN-A' },
    { id: 'call_0_1', name: 'look', arguments: { at: 'b' }, result: 'SEEN-B' },
  ]
  const steps = [{ text: 'Let me look.', calls }]
  return {
    seq,
    status: 'completed',
    input: `Q${seq}`,
    content: `A${seq}`,
    answeredBy: null,
    steps,
    ...change,
  }
}

const stateOf = (history: HistoryRun[], summary: StoredSessionState['summary'] = null) =>
  ({
    sessionRowId: 's',
    ownerUserId: 'u',
    summary,
    history,
    unsummarisedBytes: 0,
  }) as unknown as StoredSessionState

const said = (role: 'user' | 'assistant', text: string) => ({ role, content: [{ type: 'text', text }] })
const called = (toolCallId: string, at: string) => ({
  ...{ type: 'tool-call', toolCallId, toolName: 'look', input: { at } },
})
const returned = (toolCallId: string, value: string) => ({
  ...{ type: 'tool-result', toolCallId, toolName: 'look', output: { type: 'text', value } },
})

/** The messages of {@link earlier} in a model's prompt. */
function replayed(seq: number, prefix = `run${seq}`) {
  const text = { type: 'text', text: 'Let me look.' }
  const [a, b] = [`${prefix}_call_0_0`, `${prefix}_call_0_1`]
  return [
    said('user', `Q${seq}`),
    { role: 'assistant', content: [text, called(a, 'a'), called(b, 'b')] },
    { role: 'tool', content: [returned(a, 'SEEN-A'), returned(b, 'SEEN-B')] },
    said('assistant', `A${seq}`),
  ]
}

/** The prompt without its system text. */
const messagesOf = (prompt: LanguageModelV4Prompt | undefined) =>
  (prompt ?? []).filter(({ role }) => role !== 'system')

async function promptsOf(
  options: Partial<KitOptions> & Pick<KitOptions, 'respond'>,
  state: StoredSessionState,
) {
  await using kit = new RunKit({ agents, toolboxes, ...options })
  kit.store.state = state
  const result = await kit.run({ sessionId: 's' })
  expect(result).toMatchObject({ success: true })
  return kit.models.calls
}

test('an agent sees the tool calls of its newest runs with their results, and only the texts of older runs', async () => {
  const look = { call: 'look', input: { at: 'c' } }
  const respond = inTurn({ Ada: [look, 'Done'] })
  const [first, second] = await promptsOf({ respond }, stateOf([earlier(1), earlier(2), earlier(3)]))
  const before = [
    said('user', 'Q1'),
    said('assistant', 'A1'),
    ...replayed(2),
    ...replayed(3),
    said('user', 'MESSAGE'),
  ]
  expect(messagesOf(first?.prompt)).toEqual(before)
  // The run's own calls come after it, under ids that no earlier run has.
  expect(messagesOf(second?.prompt)).toEqual([
    ...before,
    { role: 'assistant', content: [called('call_0_0', 'c')] },
    { role: 'tool', content: [returned('call_0_0', LOOKED)], providerOptions: { troupe: { acted: true } } },
  ])
})

test("the agent's setting limits the number of runs replayed with their tool calls; zero replays none", async () => {
  const history = [earlier(1), earlier(2)]
  const configured = (runs: number) => (config: AgentConfig) => {
    config.memory.history.tool_traffic_runs = runs
  }
  const promptWith = async (runs: number) => {
    const respond = () => 'Done'
    const [call] = await promptsOf(
      { agents: [{ name: 'Ada', config: configured(runs) }], respond },
      stateOf(history),
    )
    return messagesOf(call?.prompt)
  }
  const texts = (seq: number) => [said('user', `Q${seq}`), said('assistant', `A${seq}`)]
  expect(await promptWith(0)).toEqual([...texts(1), ...texts(2), said('user', 'MESSAGE')])
  expect(await promptWith(1)).toEqual([...texts(1), ...replayed(2), said('user', 'MESSAGE')])
  expect(await promptWith(20)).toEqual([...replayed(1), ...replayed(2), said('user', 'MESSAGE')])
})

test('an agent without tools sees only texts: providers refuse calls if no tools are offered', async () => {
  const options = {
    respond: () => 'Done',
    toolboxes: { open: async () => ({ tools: [], [Symbol.asyncDispose]: async () => {} }) },
  }
  const [call] = await promptsOf(options, stateOf([earlier(1)]))
  expect(messagesOf(call?.prompt)).toEqual([
    said('user', 'Q1'),
    said('assistant', 'A1'),
    said('user', 'MESSAGE'),
  ])
})

test('the last call of an agent with an output schema, which offers no tools, sees only texts', async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } } }
  const config = (all: AgentConfig) => {
    all.execution.output = { mode: 'json_schema', schema, strategy: 'final_step', max_repairs: 0 }
  }
  const respond = inTurn({ Ada: ['One.', '{"n":1}'] })
  const [worked, asked] = await promptsOf(
    { agents: [{ name: 'Ada', config }], respond },
    stateOf([earlier(1)]),
  )
  expect(messagesOf(worked?.prompt)).toEqual([...replayed(1), said('user', 'MESSAGE')])
  expect(asked?.options.tools).toBeUndefined()
  expect(messagesOf(asked?.prompt).slice(0, 4)).toEqual([
    said('user', 'Q1'),
    said('assistant', 'A1'),
    said('user', 'MESSAGE'),
    said('assistant', 'One.'),
  ])
})

test('a stopped run is replayed with the calls that it had made', async () => {
  const stopped = earlier(1, { status: 'cancelled', content: null })
  const [call] = await promptsOf({ respond: () => 'Done' }, stateOf([stopped]))
  expect(messagesOf(call?.prompt)).toEqual([
    ...replayed(1).slice(0, 3),
    said('assistant', '(stopped by the user)'),
    said('user', 'MESSAGE'),
  ])
})

test('beside a summary, the runs after it keep their tool calls', async () => {
  const state = stateOf([earlier(7)], { text: 'SUMMARY', coversSeq: 6, version: 1 })
  const [call] = await promptsOf({ respond: () => 'Done' }, state)
  expect(call?.system).toContain('SUMMARY')
  expect(messagesOf(call?.prompt)).toEqual([...replayed(7), said('user', 'MESSAGE')])
})

test('numbers of passages that an earlier run retrieved are not shown, because only that run could cite them', async () => {
  const passages = { passages: [{ n: 1, document: 'd', text: 'About "n":2, really' }] }
  const calls = [
    { id: 'c', name: 'search_knowledge', arguments: { query: 'q' }, result: JSON.stringify(passages) },
  ]
  const [call] = await promptsOf(
    { respond: () => 'Done' },
    stateOf([earlier(1, { steps: [{ text: '', calls }] })]),
  )
  expect(call?.results).toEqual([
    JSON.stringify({ passages: [{ document: 'd', text: 'About "n":2, really' }] }),
  ])
})

test("a promoted lead sees the calls of its own tools, and none of its members'", async () => {
  const look = { id: 'call_0_0', name: 'look', arguments: { at: 'a' }, result: 'SEEN-A' }
  const asked = {
    id: 'call_0_1',
    name: 'delegate',
    arguments: { member: 'm1', task: 'T' },
    result: 'OF-MEMBER',
  }
  const steps = [
    { text: 'Let me look.', calls: [look, asked] },
    { text: '', calls: [{ ...asked, id: 'call_1_0' }] },
  ]
  const respond = inTurn({ Ada: [delegate('m1: NEW'), 'Done'], Ben: ['NEW-RESULT'] })
  const team = { mode: 'dynamic-delegation', members: ['Ben'], lead: 'Ada' } as const
  const [lead, member] = await promptsOf({ respond, team }, stateOf([earlier(1, { steps })]))
  expect(messagesOf(lead?.prompt)).toEqual([
    said('user', 'Q1'),
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Let me look.' }, called('run1_call_0_0', 'a')],
    },
    { role: 'tool', content: [returned('run1_call_0_0', 'SEEN-A')] },
    said('assistant', 'A1'),
    said('user', 'MESSAGE'),
  ])
  expect(messagesOf(member?.prompt)).toEqual([said('user', 'NEW')])
})

test('a lead without its own tools sees only texts, even after a change of the mode', async () => {
  const respond = inTurn({ [CREW]: [route('m1', 'T')], Ada: ['Done'] })
  const team = { mode: 'handoff', members: ['Ada', 'Ben'] } as const
  const [lead] = await promptsOf({ respond, team }, stateOf([earlier(1)]))
  expect(messagesOf(lead?.prompt)).toEqual([
    said('user', 'Q1'),
    said('assistant', 'A1'),
    said('user', 'MESSAGE'),
  ])
})

test('a member that keeps its history sees its own tool calls, under ids that are also unique within a turn', async () => {
  await using kit = new RunKit({
    ...{ agents, toolboxes },
    team: { mode: 'handoff', members: ['Ada', 'Ben'], config: { members_keep_own_history: true } },
    respond: inTurn({ [CREW]: [route('m1', 'T')], Ada: ['Done'] }),
  })
  kit.store.state = stateOf([])
  const own = [earlier(1), earlier(1), earlier(2)]
  kit.store.histories = { [agentIdOf('Ada')]: own }
  await kit.run({ sessionId: 's' })
  const [, member] = kit.models.calls
  expect(messagesOf(member?.prompt)).toEqual([
    ...[said('user', 'Q1'), said('assistant', 'A1')],
    ...replayed(1, 'run1_2'),
    ...replayed(2),
    said('user', 'T'),
  ])
})

test('a resumed job sees the same as its first turn, even if its session has changed', async () => {
  await using kit = new RunKit({
    ...{ agents, toolboxes },
    respond: ({ results }) => (results.at(-1) === LOOKED ? 'Done' : { call: 'look', input: { at: 'c' } }),
  })
  kit.store.state = stateOf([earlier(1), earlier(3)])
  const delivery = await kit.enqueue({ sessionId: 's' })
  const first = kit.process()
  kit.store.atCommit = async ({ key }, write) => {
    const written = write()
    // The worker dies after the tool call.
    if (key === 'call:0.0') kit.store.takeAway(delivery.runId)
    return written
  }
  await jobWorker(first).advance(delivery)
  kit.store.state = stateOf([earlier(2), earlier(4)], { text: 'LATER', coversSeq: 1, version: 1 })
  await kit.worker().advance({ ...delivery, slice: 1 })
  const [one] = kit.models.calls
  const two = kit.models.calls.at(-1)
  expect(kit.store.run(delivery.runId).end).toMatchObject({ status: 'completed', content: 'Done' })
  const prompt = [...replayed(1), ...replayed(3), said('user', 'MESSAGE')]
  expect(messagesOf(one?.prompt)).toEqual(prompt)
  expect(two?.system).not.toContain('LATER')
  expect(messagesOf(two?.prompt).slice(0, prompt.length)).toEqual(prompt)
})
