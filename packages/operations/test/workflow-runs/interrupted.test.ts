import { type Database, openDatabase } from '@troupe/storage'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { type Seed, seedDatabase } from '@troupe/test-kit/seed'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AcceptedRun, compile } from './accepted-run.ts'
import { type Death, MortalWorker, type WorkerOptions } from './mortal-worker.ts'
import { type GraphSeed, graphOf, graphSeeds } from './random-graph.ts'

// The state of a run is its rows. A process that continues after another one died, at any moment, must get the same
// output, and must not repeat a call whose answer is stored.

let database: Database
let seed: Seed
beforeAll(async () => {
  database = await openDatabase({ kind: 'pglite', directory: null })
  seed = await seedDatabase(database)
})
afterAll(() => database[Symbol.asyncDispose]())

/** A number that depends on the whole text. */
function hash(text: string): number {
  let value = 7
  for (const character of text) value = (value * 31 + character.charCodeAt(0)) % 1_000_003
  return value
}

/** Answers after some turns of the event loop, so that parallel nodes end in another order than they started. */
const answer: WorkerOptions['answer'] = async ({ text, classes }) => {
  const value = hash(text)
  for (let turns = value % 4; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
  return classes ? (classes[value % classes.length] ?? '') : `answer ${value}`
}

const accept = (graph: unknown, options: Partial<WorkerOptions> = {}) =>
  AcceptedRun.of(seed, graph, { database, answer, input: { n: 5 }, ...options })

/** The number of calls per place. */
function counted(calls: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const place of calls) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}

/** Runs a graph in a process that dies, continues in another one, and compares with an uninterrupted run. */
async function interruptedAt(
  graph: unknown,
  death: Death,
  undisturbed: { end: unknown; calls: readonly string[] },
) {
  await using run = await accept(graph, { death })
  await run.worker.work()
  const before = counted(run.worker.calls)
  const rows = await run.rows()
  const heir = new MortalWorker({ database, graph: compile(graph), answer })
  await heir.takeOver()
  expect(await run.end()).toEqual(undisturbed.end)
  const after = counted(heir.calls)
  for (const place of new Set(undisturbed.calls)) {
    const isDone = rows.get(place)?.status === 'completed'
    // Stored answers are not requested again, all others exactly once.
    expect([place, after.get(place) ?? 0]).toEqual([place, isDone ? 0 : 1])
    if (isDone) expect(before.get(place)).toBe(1)
    // No call was made before its row had the status running.
    if (before.has(place)) expect(rows.get(place)?.status).toMatch(/^(running|completed)$/)
  }
  expect([...after.keys()].filter((place) => !undisturbed.calls.includes(place))).toEqual([])
  for (const [place, { attempt }] of await run.rows()) {
    const wasRunning = rows.get(place)?.status === 'running' && undisturbed.calls.includes(place)
    expect([place, attempt]).toEqual([place, wasRunning ? 2 : 1])
  }
}

/** At most this many deaths, spread over all commits. */
function deathsIn(commits: number, most: number): Death[] {
  const step = Math.max(1, commits / most)
  const places = Array.from({ length: Math.min(commits, most) }, (_, at) => Math.floor(at * step) + 1)
  return places.flatMap((commit) => [
    { commit, when: 'before' as const },
    { commit, when: 'after' as const },
  ])
}

/** @returns the number of its commits and calls */
async function survives(graph: unknown, most: number): Promise<{ commits: number; asked: number }> {
  await using undisturbed = await accept(graph)
  await undisturbed.worker.work()
  const { calls, commits } = undisturbed.worker
  const end = await undisturbed.end()
  expect(end.status).toBe('completed')
  expect(Math.max(0, ...counted(calls).values())).toBeLessThan(2)
  for (const death of deathsIn(commits, most)) await interruptedAt(graph, death, { end, calls })
  return { commits, asked: calls.length }
}

const prompt = (id: string, text: string, parentId?: string) =>
  node(id, 'ai-prompt', { model: {}, prompt: text }, parentId)
const item = { rows: [{ name: 'text', value: '{{ upstream.write.output }} {{ loop.index }}' }] }

test('branches, a join and a loop have the same output wherever the process dies', async () => {
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      prompt('left', 'left {{ trigger.n }}'),
      prompt('right', 'right {{ trigger.n }}'),
      node('join', 'edit-fields', { rows: [{ name: 'l', value: '{{ upstream.left.output }}' }] }),
      node('each', 'loop', { mode: 'list', source: ['x', 'y', 'z'] }),
      prompt('write', '{{ loop.item }}', 'each'),
      node('keep', 'edit-fields', item, 'each'),
      node('sum', 'variable', { rows: [{ name: 'all', op: 'append', value: '{{ loop.item }}' }] }, 'each'),
      prompt('last', '{{ variables.all }} {{ upstream.each.output }}'),
    ],
    edges: [
      edge('start', 'left'),
      edge('start', 'right'),
      edge('left', 'join'),
      edge('right', 'join'),
      edge('join', 'each'),
      edge('each', 'write', 'body'),
      edge('write', 'keep'),
      edge('write', 'sum'),
      edge('each', 'last', 'done'),
    ],
  }
  expect((await survives(graph, 100)).commits).toBeGreaterThan(5)
})

test('a test of a draft requests no review twice, and none that a seed answers, wherever the process dies', async () => {
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      prompt('paid', 'paid {{ trigger.n }}'),
      node('each', 'loop', { mode: 'list', source: ['x', 'y', 'z'] }),
      prompt('write', '{{ loop.item }} {{ upstream.paid.output }}', 'each'),
      prompt('last', '{{ upstream.each.output }}'),
    ],
    edges: [
      edge('start', 'paid'),
      edge('paid', 'each'),
      edge('each', 'write', 'body'),
      edge('each', 'last', 'done'),
    ],
  }
  const none = { handles: null, variables: null, fromRunId: null, origin: 'typed' } as const
  const seeds = [
    { ...none, nodeId: 'paid', path: '', output: 'taken', iterations: null },
    { ...none, nodeId: 'each', path: '', output: null, iterations: ['first'] },
  ]
  const scope = { kind: 'from', nodeId: 'write', path: 'each[1]' } as const
  const options = { database, answer, input: { n: 5 }, seeds, scope }
  await using undisturbed = await AcceptedRun.ofTest(seed, graph, options)
  await undisturbed.worker.work()
  const end = await undisturbed.end()
  const { commits, calls } = undisturbed.worker
  expect([end.status, calls]).toEqual(['completed', ['each[1]/write', 'each[2]/write', 'last']])
  for (const death of deathsIn(commits, 100)) {
    await using run = await AcceptedRun.ofTest(seed, graph, { ...options, death })
    await run.worker.work()
    const rows = await run.rows()
    const heir = new MortalWorker({ database, graph: compile(graph), answer })
    await heir.takeOver()
    expect(await run.end()).toEqual(end)
    const isDone = (place: string) => rows.get(place)?.status === 'completed'
    expect([...heir.calls].toSorted()).toEqual(calls.filter((place) => !isDone(place)).toSorted())
    expect((await run.rows()).get('paid')).toMatchObject({ seeded: true, attempt: 1, output: 'taken' })
  }
})

test('random graphs have the same output wherever the process dies', async () => {
  let questions = 0
  await fc.assert(
    fc.asyncProperty(graphSeeds, async (from: GraphSeed) => {
      questions += (await survives(graphOf(from), 8)).asked
    }),
    { numRuns: 25 },
  )
  expect(questions, 'there was something to repeat').toBeGreaterThan(25)
}, 120_000)

test('an answer is stored when it arrives, not when a slower parallel node has ended', async () => {
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      prompt('quick', 'quick'),
      prompt('slow', 'slow'),
      node('join', 'edit-fields', { rows: [{ name: 'both', value: '{{ upstream.quick.output }}' }] }),
    ],
    edges: [edge('start', 'quick'), edge('start', 'slow'), edge('quick', 'join'), edge('slow', 'join')],
  }
  const slow = Promise.withResolvers<string>()
  await using run = await accept(graph, {
    answer: async ({ text }) => (text === 'slow' ? slow.promise : 'at once'),
  })
  const working = run.worker.work()
  try {
    await expect.poll(async () => (await run.rows()).get('quick')?.status).toBe('completed')
    expect((await run.rows()).get('slow')?.status).toBe('running')
  } finally {
    slow.resolve('at last')
    await working
  }
  expect(await run.end()).toMatchObject({ status: 'completed', output: { both: 'at once' } })
})
