import { TestClock } from '@troupe/agents/testing/test-clock'
import { createChatModels } from '@troupe/models'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { edge, node } from '@troupe/test-kit/graph-parts'
import type { TestAnswer } from '@troupe/test-kit/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { EVENTUALLY, newTag } from '../jobs/job-setting.ts'
import { WorkflowSetting } from './workflow-setting.ts'

/** The longest that a synchronous caller waits, in milliseconds. */
const LIMIT_MS = 30_000
const clock = new TestClock()
const resources = new AsyncDisposableStack()
/** Ids of runs in the order of their starts: a synchronous caller gets it only with the response. */
const accepted: string[] = []
let setting: WorkflowSetting
let asking: string
let reviewing: string
beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  const workflowRuns: typeof database.workflowRuns = {
    ...database.workflowRuns,
    accept(run) {
      accepted.push(run.runId)
      return database.workflowRuns.accept(run)
    },
  }
  // The models keep the machine's clock: only the caller's time jumps.
  const overrides = {
    clock,
    chatModels: createChatModels({ fetch }),
    database: { ...database, workflowRuns },
  }
  setting = resources.use(await WorkflowSetting.start({ overrides }))
  const start = node('start', 'manual-trigger')
  asking = await setting.publish({ nodes: [start, setting.prompt('ask')], edges: [edge('start', 'ask')] })
  reviewing = await setting.publish({
    nodes: [start, node('review', 'human-review', { title: 'Approve refund' })],
    edges: [edge('start', 'review')],
  })
})
afterAll(() => resources.disposeAsync())
afterEach(() => {
  clock.reset()
})

const idOf = ({ body }: TestAnswer) => (body as { executionId: string }).executionId

/** The id that the next run has once it is accepted. */
async function nextId(): Promise<string> {
  const known = accepted.length
  await expect.poll(() => accepted.length, EVENTUALLY).toBeGreaterThan(known)
  return accepted[known] ?? ''
}

describe('a caller who waits', () => {
  test('for longer than 30 seconds gets 504 with the id; the run keeps its slot, continues and ends', async () => {
    const tag = newTag()
    const answer = Promise.withResolvers<void>()
    setting.crew.behave(tag, () => ({ firstTokenDelayMs: 2_500 }))
    const waiting = setting.run(asking, tag).finally(answer.resolve)
    await expect.poll(() => setting.crew.callsOf(tag).length, EVENTUALLY).toBe(1)
    clock.advance(LIMIT_MS)
    const timeout = await waiting
    expect(timeout).toMatchObject({
      status: 504,
      body: {
        error: 'execution_timeout',
        message: expect.stringContaining('30 seconds'),
        executionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    })
    const id = idOf(timeout)
    expect(await setting.poll(id)).toMatchObject({ status: 'running', completedAt: null })
    expect(await setting.untilEnded(id)).toMatchObject({ status: 'completed', error: null })
    expect(await setting.output(id)).toBe(`ask reports on it for ${tag}: all is well.`)
    expect(setting.crew.callsOf(tag)).toHaveLength(1)
  })

  test('for people gets 504 after 30 seconds, and the run keeps waiting', async () => {
    const id = nextId()
    const waiting = setting.run(reviewing, newTag())
    const executionId = await id
    await setting.untilStatus(executionId, (status) => status === 'awaiting_approval')
    clock.advance(LIMIT_MS)
    const timeout = await waiting
    expect(timeout).toMatchObject({ status: 504, body: { error: 'execution_timeout', executionId } })
    expect(await setting.poll(executionId)).toMatchObject({ status: 'awaiting_approval' })
    expect((await setting.change(executionId, 'cancel')).body).toEqual({ executionId, status: 'cancelled' })
  })

  test('for a cancelled run gets it as failed, while the poll reports it as cancelled', async () => {
    for (const workflowId of [asking, reviewing]) {
      const tag = newTag()
      setting.crew.holdFrom(tag, 1)
      const next = nextId()
      const waiting = setting.run(workflowId, tag)
      const id = await next
      if (workflowId === reviewing) await setting.untilStatus(id, (status) => status === 'awaiting_approval')
      else await expect.poll(() => setting.crew.hanging(tag), EVENTUALLY).toEqual(['ask'])
      expect((await setting.change(id, 'cancel')).body).toEqual({ executionId: id, status: 'cancelled' })
      expect(await waiting).toMatchObject({
        status: 200,
        body: {
          executionId: id,
          status: 'failed',
          output: null,
          error: 'The run was cancelled before it finished.',
        },
      })
      expect(await setting.poll(id)).toMatchObject({ status: 'cancelled', error: null })
    }
  })
})
