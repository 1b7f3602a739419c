import { edge, node } from '@troupe/test-kit/graph-parts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WorkflowSetting } from './workflow-setting.ts'

let setting: WorkflowSetting
beforeAll(async () => {
  setting = await WorkflowSetting.start()
})
afterAll(() => setting[Symbol.asyncDispose]())

test('a synchronous run that computes for longer is answered 504 after 30 seconds, and can be cancelled', {
  timeout: 120_000,
}, async () => {
  const looping = await setting.publish({
    nodes: [
      node('start', 'manual-trigger'),
      node('each', 'loop', { mode: 'count', count: 100 }),
      ...Array.from({ length: 5 }, (_, at) =>
        node(
          `match${at}`,
          'if-else',
          { conditions: [{ left: '{{ trigger.text }}', op: 'matches', right: 'a.{150}b$' }] },
          'each',
        ),
      ),
    ],
    edges: [
      edge('start', 'each'),
      edge('each', 'match0', 'body'),
      ...Array.from({ length: 4 }, (_, at) => edge(`match${at}`, `match${at + 1}`, 'false')),
    ],
  })
  // No two parts of it are alike, it does not end as the pattern requires, and one check stays within its budget.
  const text = `${Array.from({ length: 1_400 }, (_, at) => (Math.sin(at * at) > 0 ? 'a' : 'b')).join('')}c`
  const startedAt = performance.now()
  const answer = await setting.call(`POST /api/v1/workflows/${looping}/run`, { input: { text } })
  const seconds = (performance.now() - startedAt) / 1_000
  expect(answer).toMatchObject({ status: 504, body: { error: 'execution_timeout' } })
  expect(seconds).toBeGreaterThan(29)
  expect(seconds).toBeLessThan(31)
  const { executionId } = answer.body as { executionId: string }
  expect((await setting.change(executionId, 'cancel')).status).toBe(200)
  const before = process.threadCpuUsage()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000, 'nothing computes any more').toBeLessThan(200)
})
