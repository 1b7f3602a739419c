import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { jsonBytes } from '@troupe/contract'
import { type Database, openDatabase } from '@troupe/storage'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { type Seed, seedDatabase } from '@troupe/test-kit/seed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AcceptedRun, compile } from './accepted-run.ts'
import { MortalWorker } from './mortal-worker.ts'

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

/** Ten Loops in a row whose last node returns little: large values need not be kept. */
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
const PROMPT = 'x'.repeat(900_000)
const fields = { rows: [{ name: 'v', value: '{{ loop.index }}{{ trigger.text }}' }] }
const asked = (prompt: string) => ({ type: 'ai-prompt', config: { model: {}, prompt } })

test.for<[string, { large: object; text: string; answer: string }]>([
  ['16 MB of fields', { large: { type: 'edit-fields', config: fields }, text: TEXT, answer: '' }],
  ['16 MB of answers of a model', { large: asked('{{ loop.index }}'), text: TEXT, answer: TEXT }],
  [
    '90 MB of prompts',
    { large: asked('{{ loop.index }}{{ trigger.text }}'), text: PROMPT, answer: 'answer' },
  ],
])('the heap stays flat while 100 iterations return %s', { timeout: 180_000 }, async ([, setting]) => {
  const { large, text, answer } = setting
  const heap: number[] = []
  let [calls, commits, unseen] = [0, 0, 0]
  await using run = await AcceptedRun.of(seed, looping(large), {
    database,
    input: { text, count: 10 },
    answer: async () => {
      calls += 1
      return `${calls}${answer}`
    },
    onCommit({ nodeRuns }) {
      const bytes = jsonBytes(nodeRuns)
      unseen += bytes
      commits += 1
      // The first commit writes the trigger, before any iteration.
      if (heap.length > 0 && unseen < 2 * MB && commits % 20 > 0) return
      unseen = 0
      // Values whose commit is pending are still in memory.
      heap.push(heapBytes() - bytes)
    },
  })
  await run.worker.work()
  expect((await run.end()).status).toBe('completed')
  // The number of iterations in one commit depends on the speed of the database.
  expect(heap.length).toBeGreaterThan(2)
  // A leak only grows, so the minimum counts: a single sample may include garbage of other files of this worker.
  expect(Math.min(...heap.slice(-2)) - (heap[0] ?? 0)).toBeLessThan(6 * MB)
})

test('a turn that continues after 90 iterations holds only the values that it needs', {
  timeout: 180_000,
}, async () => {
  const graph = looping(asked('{{ loop.index }}'))
  const answer = async () => TEXT
  const death = { commit: 95, when: 'before' } as const
  await using run = await AcceptedRun.of(seed, graph, {
    ...{ database, answer, death },
    input: { text: '', count: 10 },
  })
  await run.worker.work()
  const stored = jsonBytes([...(await run.rows()).values()])
  expect(stored).toBeGreaterThan(14 * MB)
  const before = heapBytes()
  const heap: number[] = []
  const onCommit = () => void heap.push(heapBytes())
  const heir = new MortalWorker({ database, graph: compile(graph), answer, onCommit })
  await heir.takeOver()
  expect((await run.end()).status).toBe('completed')
  expect(heap.length).toBeGreaterThan(1)
  expect(Math.max(...heap) - before).toBeLessThan(4 * MB)
})
