import { edge, node } from '@troupe/test-kit/graph-parts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WorkflowSetting } from './workflow-setting.ts'

const same = 'a'.repeat(100_000)
/** No two parts of it are alike. */
const mixed = Array.from({ length: 100_000 }, (_, at) => (Math.sin(at * at) > 0 ? 'a' : 'b')).join('')
let setting: WorkflowSetting
let matching: string
let looping: string
beforeAll(async () => {
  setting = await WorkflowSetting.start()
  const condition = {
    conditions: [{ left: '{{ trigger.text }}', op: 'matches', right: '{{ trigger.pattern }}' }],
  }
  const start = node('start', 'manual-trigger')
  matching = await setting.publish({
    nodes: [start, node('match', 'if-else', condition)],
    edges: [edge('start', 'match')],
  })
  looping = await setting.publish({
    nodes: [
      start,
      node('each', 'loop', { mode: 'count', count: 100 }),
      node('match', 'if-else', condition, 'each'),
    ],
    edges: [edge('start', 'each'), edge('each', 'match', 'body')],
  })
})
afterAll(() => setting[Symbol.asyncDispose]())

const run = (workflowId: string, input: object, how = 'run') =>
  setting.call(`POST /api/v1/workflows/${workflowId}/${how}`, { input })

describe('a synchronous run with a costly pattern', () => {
  test.for<[string, string, string, string]>([
    ['too large when it is written out', `${'.{0,900}'.repeat(5)}b$`, same, 'must have at most 2000 steps'],
    ['with a state for each part of the text', 'a.{300}b$', mixed, 'needs too many steps'],
  ])('%s ends immediately with an error message', async ([, pattern, text, why]) => {
    const answer = await run(matching, { pattern, text })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'failed', error: expect.stringContaining(`the pattern ${why}`) },
    })
  })

  test('within the limit completes on 900 KB', async () => {
    const answer = await run(matching, { pattern: '.{1,500}\\.pdf$', text: 'a'.repeat(900_000) })
    expect(answer).toMatchObject({ status: 200, body: { status: 'completed', error: null } })
  })
})

test('a loop of costly patterns leaves the event loop to others, and ends soon after its cancellation', async () => {
  const input = { pattern: 'a.{150}b$', text: mixed.slice(0, 1_400) }
  const { body } = await run(looping, input, 'run-async')
  const { executionId } = body as { executionId: string }
  await setting.untilStatus(executionId, (status) => status === 'running')
  // The loop is computed in another thread: this thread must be mostly idle.
  const [before, startedAt] = [process.threadCpuUsage(), performance.now()]
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000 / (performance.now() - startedAt)).toBeLessThan(0.5)
  expect((await setting.poll(executionId)).status).toBe('running')
  expect((await setting.change(executionId, 'cancel')).status).toBe(200)
  expect(await setting.poll(executionId)).toMatchObject({ status: 'cancelled' })
})
