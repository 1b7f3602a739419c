import { expect, test, vi } from 'vitest'
import type { StoredSessionState } from '../ports/session-state.ts'
import { eventsOfRow } from '../stream/replay.ts'
import { answerOf, CREW, type KitOptions, RunKit } from '../testing/run-kit.ts'
import type { Reply } from '../testing/scripted-model.ts'
import { jobWorker } from './testing/job-worker.ts'

const agents = [{ name: 'Ada' }, { name: 'Ben' }]
const parallel = { mode: 'parallel', members: ['Ada', 'Ben'], toggles: { auto_member_input: false } } as const

/** A job, its delivery and the process that executes it. */
async function setUp(options: Partial<KitOptions> & Pick<KitOptions, 'respond'>) {
  const kit = new RunKit({ agents, ...options })
  const delivery = await kit.enqueue()
  const deps = kit.process()
  const telemetry = { ...deps.telemetry, turnEnded: vi.fn(), runEnded: vi.fn() }
  const first = { ...deps, telemetry }
  const run = kit.store.run(delivery.runId)
  const events = () => run.events.flatMap((row) => [...eventsOfRow(row, 0)])
  return {
    kit,
    delivery,
    first,
    telemetry,
    run,
    events,
    [Symbol.asyncDispose]: () => kit[Symbol.asyncDispose](),
  }
}

/** A barrier that a model waits for. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { wait: { wait: promise }, open: resolve }
}

test('a turn past its time ends at its next step, and the next turn repeats nothing', async () => {
  const { wait, open } = gate()
  await using job = await setUp({
    team: parallel,
    respond: ({ agent }): Reply => (agent === CREW ? 'ALL' : agent === 'Ada' ? [wait, { text: 'A' }] : 'B'),
  })
  const turn = jobWorker(job.first, 1).advance(job.delivery)
  await expect.poll(() => job.run.steps.has('member:m2:0')).toBe(true)
  // The turn has certainly ended, because its slice is one millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5))
  open()
  await turn
  expect(job.run).toMatchObject({ status: 'running', slice: 1, workerId: null, end: null })
  expect([...job.run.steps.keys()].filter((key) => !key.includes('step'))).toEqual([
    'member:m2:0',
    'member:m1:0',
  ])
  expect(job.telemetry.turnEnded).toHaveBeenCalledTimes(1)
  expect(job.kit.deliveries.at(-1)).toEqual({ ...job.delivery, slice: 1 })
  await job.kit.worker().advance({ ...job.delivery, slice: 1 })
  expect(job.run.end).toMatchObject({ status: 'completed', content: 'ALL', inputTokens: 30 })
  expect(job.kit.models.calls.map(({ agent }) => agent)).toEqual(['Ada', 'Ben', CREW])
  expect(answerOf(job.events())).toBe('ALL')
})

test('a stopping process releases its jobs, and voids unfinished messages', async () => {
  let stopping = true
  await using job = await setUp({
    respond: () => (stopping ? [{ text: 'Half' }, { hang: true }] : 'Whole'),
  })
  const turn = jobWorker(job.first).advance(job.delivery)
  await expect.poll(() => job.kit.models.calls.length).toBe(1)
  await job.first.active.drain(0)
  await turn
  expect(job.run).toMatchObject({ status: 'running', slice: 1, workerId: null })
  stopping = false
  await job.kit.worker().advance({ ...job.delivery, slice: 1 })
  expect(job.run.end).toMatchObject({ status: 'completed', content: 'Whole' })
  expect(answerOf(job.events())).toBe('Whole')
  expect(job.events().map(({ event }) => event)).toContain('RunContentReset')
})

test('a stopping process accepts no delivery, and notifies the engine', async () => {
  await using job = await setUp({ respond: () => 'A' })
  await job.first.active.drain(0)
  await expect(jobWorker(job.first).advance(job.delivery)).rejects.toThrow('stopping')
  expect(job.run.status).toBe('queued')
})

test('a stale delivery does nothing', async () => {
  await using job = await setUp({ respond: () => 'A' })
  await jobWorker(job.first).advance({ ...job.delivery, slice: 3 })
  expect([job.run.status, job.kit.models.calls.length]).toEqual(['queued', 0])
})

test('a worker that has lost its job stops at its next commit and writes nothing', async () => {
  await using job = await setUp({ respond: () => 'A' })
  job.kit.store.atCommit = async (_, write) => {
    job.kit.store.takeAway(job.delivery.runId)
    return write()
  }
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run).toMatchObject({ status: 'running', slice: 1, end: null, usage: [], events: [] })
  expect(job.run.steps.size).toBe(0)
  expect(job.telemetry.turnEnded).toHaveBeenCalledTimes(1)
})

test('a worker that loses its job at the very end leaves it alone', async () => {
  await using job = await setUp({ respond: () => 'A' })
  const finish = job.kit.store.finish.bind(job.kit.store)
  job.first.store.finish = async (end) => {
    job.kit.store.takeAway(job.delivery.runId)
    return finish(end)
  }
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run).toMatchObject({ status: 'running', slice: 1, end: null })
  expect([job.telemetry.turnEnded.mock.calls.length, job.telemetry.runEnded.mock.calls.length]).toEqual([
    1, 0,
  ])
})

test('a database outage leaves the job to the worker that takes it over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await using job = await setUp({ respond: () => 'A' })
    const { atCommit } = job.kit.store
    job.kit.store.atCommit = () => Promise.reject(new Error('no database'))
    const turn = jobWorker(job.first).advance(job.delivery)
    await vi.advanceTimersByTimeAsync(5_000)
    await turn
    expect(job.run).toMatchObject({ status: 'running', slice: 0, end: null, usage: [] })
    expect(job.kit.failures.map(String)).toContain('Error: no database')
    job.kit.store.atCommit = atCommit
    const slice = job.kit.store.takeAway(job.delivery.runId)
    await job.kit.worker().advance({ ...job.delivery, slice })
    expect(job.run.end).toMatchObject({ status: 'completed', content: 'A' })
    expect(job.kit.models.calls).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})

test('a failed commit is repeated once, and nothing is counted twice', async () => {
  await using job = await setUp({ respond: () => 'A' })
  let failures = 0
  job.kit.store.atCommit = async (_, write) => {
    const written = write()
    failures += 1
    if (failures === 1) throw new Error('the answer was lost')
    return written
  }
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run.end).toMatchObject({ status: 'completed', content: 'A', inputTokens: 10 })
  expect(job.run.usage).toHaveLength(1)
})

test('a cancel while a model writes keeps the text, and the stopped members', async () => {
  await using job = await setUp({ team: parallel, respond: () => [{ text: 'Half' }, { hang: true }] })
  const turn = jobWorker(job.first).advance(job.delivery)
  await expect.poll(() => job.kit.models.calls.length).toBe(2)
  job.run.status = 'cancelled'
  job.first.active.abort(job.run.start.runId, 'cancel')
  await turn
  expect(job.run.end).toMatchObject({ stopReason: 'cancel', content: null })
  const members = [...job.run.members.values()].map(({ status, content }) => [status, content])
  expect(members).toEqual([
    ['cancelled', 'Half'],
    ['cancelled', 'Half'],
  ])
  expect(job.events().at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user' })
  expect(job.kit.models.calls.map(({ agent }) => agent)).not.toContain(CREW)
})

test('a cancel that a worker first meets at a commit is still reported, with its text and its ledger', async () => {
  await using job = await setUp({ respond: () => 'Whole' })
  job.kit.store.atCommit = async (_, write) => {
    job.run.status = 'cancelled'
    return write()
  }
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run.end).toMatchObject({ stopReason: 'cancel', content: 'Whole' })
  expect(job.run.usage).toHaveLength(1)
  const events = job.events()
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ event: 'RunCancelled', content: 'Whole' })
})

test('a cancel that a worker first meets when it releases the job is also reported', async () => {
  await using job = await setUp({ respond: () => [{ text: 'Half' }, { hang: true }] })
  job.kit.store.yield = async () => {
    job.run.status = 'cancelled'
    return null
  }
  const turn = jobWorker(job.first).advance(job.delivery)
  await expect.poll(() => job.kit.models.calls.length).toBe(1)
  await job.first.active.drain(0)
  await turn
  expect(job.run.end).toMatchObject({ stopReason: 'cancel', content: 'Half' })
  expect(job.events().at(-1)).toMatchObject({ event: 'RunCancelled', content: 'Half' })
})

test('a job sees the session in its state at acceptance', async () => {
  await using job = await setUp({ respond: () => 'A' })
  const turn = { status: 'completed' as const, content: 'ANSWER', answeredBy: null }
  const history = [999, 1_001].map((seq) => ({ ...turn, seq, input: `TURN-${seq}` }))
  job.kit.store.state = {
    sessionRowId: 's',
    ownerUserId: 'u',
    summary: null,
    history,
  } as unknown as StoredSessionState
  await jobWorker(job.first).advance(job.delivery)
  const prompt = JSON.stringify(job.kit.models.calls[0]?.prompt)
  expect([prompt.includes('TURN-999'), prompt.includes('TURN-1001')]).toEqual([true, false])
})

test('a job that works longer than its limit ends as timeout', async () => {
  await using job = await setUp({ respond: () => [{ text: 'Half' }, { hang: true }] })
  job.run.start = { ...job.run.start, limitSeconds: 0.02 }
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run.end).toMatchObject({ status: 'timeout', content: 'Half', errorCode: 'execution_timeout' })
  expect(job.run.end?.errorMessage).toMatch(/^The job ran longer than \d+ seconds\.$/)
})

test('a job whose agent was deleted fails with an error message', async () => {
  await using job = await setUp({ respond: () => 'A' })
  const catalog = { ...job.first.catalog, agentVersion: async () => null }
  await jobWorker({ ...job.first, catalog }).advance(job.delivery)
  expect(job.run.end).toMatchObject({
    status: 'failed',
    errorMessage: 'The agent of this job no longer exists.',
  })
})

test('a job whose models were disconnected since then fails with an error message', async () => {
  await using job = await setUp({ respond: () => 'A' })
  const catalog = { ...job.first.catalog, llmConfigurations: async () => [] }
  await jobWorker({ ...job.first, catalog }).advance(job.delivery)
  expect(job.run.end?.errorMessage).toBe(
    'The agent has no connected LLM configuration with a model that it may use.',
  )
})

/** An answer as stored before steps had a kind and a version. */
const ANSWER = {
  ...{
    text: 'Stored',
    toolCalls: [],
    finishReason: 'stop',
    state: null,
    isLast: false,
    messageId: 'msg_0',
    at: 1,
  },
  spent: { inputTokens: 1, outputTokens: 1, failoverUsed: false },
}

test('a job continues with a step whose row names no kind and has the first shape', async () => {
  await using job = await setUp({ respond: () => 'Asked again' })
  job.run.steps.set('step:0', JSON.stringify({ name: null, version: 1, output: ANSWER }))
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run.end).toMatchObject({ status: 'completed', content: 'Stored' })
  expect(job.kit.models.calls).toEqual([])
})

const UNREADABLE =
  'The run was started by another version of the server, and this version cannot continue it. Start it again.'

test.each([
  ['another version', { name: 'model_step', version: 2, output: ANSWER }],
  ['another shape', { name: null, version: 1, output: { ...ANSWER, text: ['Stored'] } }],
])('a job with a step of %s fails with an error message, and asks no model', async (_, step) => {
  await using job = await setUp({ respond: () => 'Asked again' })
  job.run.steps.set('step:0', JSON.stringify(step))
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run.end).toMatchObject({ status: 'failed', errorMessage: UNREADABLE, content: null })
  expect(job.kit.models.calls).toEqual([])
  expect(job.events().at(-1)).toMatchObject({ event: 'RunError', message: UNREADABLE })
})

test('a step of a member in another version ends the run of its team, and is not a failure of the member', async () => {
  await using job = await setUp({ team: parallel, respond: ({ agent }) => agent })
  const step = { name: 'model_step', version: 2, output: ANSWER }
  job.run.steps.set('member:m1:0/step:0', JSON.stringify(step))
  await jobWorker(job.first).advance(job.delivery)
  expect(job.run.end).toMatchObject({ status: 'failed', errorMessage: UNREADABLE })
  expect(job.kit.models.calls.map(({ agent }) => agent)).not.toContain(CREW)
})
