import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Database, openDatabase } from '@troupe/database'
import { jsonBytes } from '@troupe/graph'
import { type Seed, seedDatabase } from '@troupe/test-kit/seed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AcceptedRun } from './accepted-run.ts'
import { edge, node } from './graph-parts.ts'

// n8n-io/n8n#26123, #7391, #8927: the data of every iteration stayed in memory until the run had ended.

const MB = 1024 * 1024

let database: Database
let seed: Seed
beforeAll(async () => {
  database = await openDatabase({ kind: 'pglite', directory: null })
  seed = await seedDatabase(database)
})
afterAll(() => database[Symbol.asyncDispose]())

/** Bytes of JavaScript values that are still reachable. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

/** Ten Loops in a row whose last node gives little: what is large need not be kept. */
const looping = (large: object) => ({
  nodes: [
    node('start', 'manual-trigger'),
    node('tens', 'loop', { mode: 'count', count: 10 }),
    node('each', 'loop', { mode: 'count', count: '{{ trigger.count }}' }, 'tens'),
    { ...node('large', 'edit-fields', {}, 'each'), ...large },
    node('small', 'edit-fields', { rows: [{ name: 'at', value: '{{ loop.index }}' }] }, 'each'),
  ],
  edges: [
    edge('start', 'tens'),
    edge('tens', 'each', 'body'),
    edge('each', 'large', 'body'),
    edge('large', 'small'),
  ],
})

const TEXT = 'x'.repeat(160_000)
const fields = { rows: [{ name: 'v', value: '{{ loop.index }}{{ trigger.text }}' }] }

test.for<[string, object]>([
  ['fields', { type: 'edit-fields', config: fields }],
  ['answers of a model', { type: 'ai-prompt', config: { model: {}, prompt: '{{ loop.index }}' } }],
])('the heap stays flat while 100 iterations give 16 MB of %s', { timeout: 60_000 }, async ([, large]) => {
  const heap: number[] = []
  let [calls, unseen] = [0, Number.POSITIVE_INFINITY]
  await using run = await AcceptedRun.of(seed, looping(large), {
    database,
    input: { text: TEXT, count: 10 },
    answer: async () => {
      calls += 1
      return `${calls}${TEXT}`
    },
    onCommit({ nodeRuns }) {
      const bytes = jsonBytes(nodeRuns)
      unseen += bytes
      if (unseen < 2 * MB) return
      unseen = 0
      // What waits for this commit is in memory still.
      heap.push(heapBytes() - bytes)
    },
  })
  await run.worker.work()
  expect((await run.end()).status).toBe('completed')
  expect(heap.length).toBeGreaterThan(1)
  expect(Math.max(...heap) - (heap[0] ?? 0)).toBeLessThan(6 * MB)
})
