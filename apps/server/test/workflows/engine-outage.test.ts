import { TestClock } from '@troupe/agents/testing/test-clock'
import type { WorkflowRunId } from '@troupe/contract'
import { type Delivery, EngineUnreachable } from '@troupe/durable-work'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HeldEngine } from '../jobs/held-engine.ts'
import { EVENTUALLY, newTag } from '../jobs/job-setting.ts'
import { WorkflowSetting } from './workflow-setting.ts'

/** An engine that can make a delivery without confirming it to the sender. */
class UnsureEngine extends HeldEngine {
  /** While true, every delivery is made, but its sender gets an error. */
  unsure = false

  override async dispatch(delivery: Delivery): Promise<void> {
    await super.dispatch(delivery)
    if (!this.unsure) return
    const delivered = this.deliver()
    await Promise.race([delivered, new Promise((resolve) => setTimeout(resolve, 50))])
    throw new EngineUnreachable('Its answer was lost.')
  }
}

const engine = new UnsureEngine()
const clock = new TestClock()
const resources = new AsyncDisposableStack()
/** Ids of runs in the order of their starts: the response to a failed start contains none. */
const accepted: WorkflowRunId[] = []
let refuseRows = false
let setting: WorkflowSetting
let workflowId: string
beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  const workflowRuns: typeof database.workflowRuns = {
    ...database.workflowRuns,
    async accept(run) {
      if (refuseRows) throw new Error('the disk is full')
      accepted.push(run.runId)
      return database.workflowRuns.accept(run)
    },
  }
  setting = resources.use(
    await WorkflowSetting.start({
      overrides: { engine, clock, database: { ...database, workflowRuns } },
      // Any engine that is not this process itself.
      env: { RESTATE_INGRESS_URL: 'http://127.0.0.1:1' },
    }),
  )
  workflowId = await setting.publish({
    nodes: [node('start', 'manual-trigger'), setting.prompt('ask')],
    edges: [edge('start', 'ask')],
  })
})
afterAll(() => resources.disposeAsync())
afterEach(() => {
  Object.assign(engine, { down: false, unsure: false })
  engine.lose()
  clock.reset()
  refuseRows = false
})

function last(): WorkflowRunId {
  const runId = accepted.at(-1)
  if (runId === undefined) throw new Error('no run was accepted')
  return runId
}
const sweep = () => setting.server.context.duties.perform('watchdog')

/** Makes the first delivery of a run, long after it was abandoned. */
async function deliverLate(runId: WorkflowRunId): Promise<void> {
  engine.down = false
  engine.held.push({ lane: 'workflows', runId, slice: 0 })
  await engine.deliver()
}

describe('while the engine cannot be reached', () => {
  test('a synchronous run is 502: nothing was started, its record has that reason, and a late delivery does nothing', async () => {
    engine.down = true
    const tag = newTag()
    expect(await setting.run(workflowId, tag)).toMatchObject({
      status: 502,
      body: { error: 'bad_gateway', message: expect.stringContaining('nothing was started') },
    })
    const failed = await setting.poll(last())
    expect(failed).toMatchObject({
      status: 'failed',
      error: 'The workflow engine could not be reached.',
      startedAt: null,
      completedAt: expect.any(Number),
    })
    await deliverLate(last())
    expect(await setting.poll(last())).toEqual(failed)
    expect(setting.crew.callsOf(tag)).toEqual([])
    expect((await setting.change(last(), 'cancel')).body).toMatchObject({ status: 'failed' })
  })

  test('a run that a worker has received nevertheless returns its result', async () => {
    engine.unsure = true
    const tag = newTag()
    expect(await setting.run(workflowId, tag)).toMatchObject({
      status: 200,
      body: {
        executionId: last(),
        status: 'completed',
        output: `ask reports on it for ${tag}: all is well.`,
      },
    })
    expect(setting.crew.callsOf(tag)).toHaveLength(1)
  })

  test('an asynchronous run is 202, waits, and runs when the engine is back', async () => {
    engine.down = true
    const id = await setting.start(workflowId, newTag())
    await sweep()
    expect(await setting.poll(id)).toMatchObject({
      status: 'queued',
      statusReason: 'waiting for a worker',
      startedAt: null,
    })
    await deliverLate(id)
    expect(await setting.poll(id)).toMatchObject({ status: 'completed', error: null })
  })

  test('an asynchronous run is 202 and has failed after 60 seconds, which frees its slot', async () => {
    engine.down = true
    const tag = newTag()
    // As if it had been accepted a minute ago, and retried recently.
    clock.advance(-61_000)
    const id = await setting.start(workflowId, tag)
    clock.reset()
    await sweep()
    const failed = await setting.poll(id)
    expect(failed).toMatchObject({
      status: 'failed',
      error: 'The workflow engine could not be reached for 60 seconds.',
      startedAt: null,
      completedAt: expect.any(Number),
    })
    await deliverLate(id)
    expect(await setting.poll(id)).toEqual(failed)
    expect(setting.crew.callsOf(tag)).toEqual([])
  })

  test('a run that is cancelled before its start never runs', async () => {
    engine.down = true
    const tag = newTag()
    const id = await setting.start(workflowId, tag)
    expect((await setting.change(id, 'cancel')).body).toEqual({ executionId: id, status: 'cancelled' })
    await deliverLate(id)
    expect(await setting.poll(id)).toMatchObject({ status: 'cancelled', startedAt: null })
    expect(setting.crew.callsOf(tag)).toEqual([])
  })
})

test('a run with a lost delivery is submitted again, and a run that is delivered twice runs once', async () => {
  const tag = newTag()
  const id = await setting.start(workflowId, tag)
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  const [delivery] = engine.lose()
  if (!delivery) throw new Error('nothing was handed in')
  engine.held.push(delivery, { ...delivery })
  await engine.deliver()
  expect(await setting.poll(id)).toMatchObject({ status: 'completed' })
  engine.held.push(delivery, { ...delivery, slice: 1 })
  await engine.deliver()
  expect(setting.crew.callsOf(tag)).toHaveLength(1)
})

test('a record that cannot be written is 500 for both kinds of runs, without details', async () => {
  refuseRows = true
  for (const action of ['run', 'run-async']) {
    const answer = await setting.call(`POST /api/v1/workflows/${workflowId}/${action}`, { input: {} })
    expect(answer).toMatchObject({ status: 500, body: { error: 'execution_create_failed' } })
    expect(JSON.stringify(answer.body)).not.toContain('disk')
  }
})
