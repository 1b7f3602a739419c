import { TestClock } from '@troupe/agents/testing/test-clock'
import type { Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HeldEngine } from '../jobs/held-engine.ts'
import { EVENTUALLY, newTag } from '../jobs/job-setting.ts'
import { WorkflowSetting } from './workflow-setting.ts'

const SECOND = 1_000

/** An engine that stores the due times of deliveries, and makes them on command. */
class TimedEngine extends HeldEngine {
  dueAt = 0

  override async dispatch(
    delivery: Parameters<HeldEngine['dispatch']>[0],
    { dueAt = 0 }: { dueAt?: number } = {},
  ): Promise<void> {
    this.dueAt = dueAt
    await super.dispatch(delivery)
  }
}

const engine = new TimedEngine()
const clock = new TestClock()
const resources = new AsyncDisposableStack()
let database: Database
let setting: WorkflowSetting
beforeAll(async () => {
  database = resources.use(await openReusedDatabase())
  setting = resources.use(await WorkflowSetting.start({ overrides: { engine, clock, database } }))
})
afterAll(() => resources.disposeAsync())
afterEach(() => {
  clock.reset()
  engine.lose()
})

const start = node('start', 'manual-trigger')

/** A run that was accepted and delivered to this process, until the process releases it. */
async function begin(graph: unknown, tag: string): Promise<string> {
  const id = await setting.start(await setting.publish(graph), tag)
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  await engine.deliver()
  return id
}

/** Delivers the next turn, once it was submitted. */
async function nextTurn(): Promise<void> {
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  await engine.deliver()
}

const failing = (tag: string, times: number) =>
  setting.crew.behave(tag, (nth) => (nth <= times ? { status: 500 } : {}))

describe('a node with a retry after more than 30 seconds', () => {
  test('holds no worker: the run is released until then, and continues with its next attempt', async () => {
    const tag = newTag()
    failing(tag, 2)
    const graph = {
      nodes: [start, setting.prompt('ask', { retries: 2, retryDelaySeconds: 40 })],
      edges: [edge('start', 'ask')],
    }
    const id = await begin(graph, tag)
    for (const [calls, waitSeconds] of [
      [1, 40],
      [2, 80],
    ] as const) {
      expect(setting.crew.callsOf(tag)).toHaveLength(calls)
      await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
      expect(setting.server.context.workflows.active.size).toBe(0)
      expect(await setting.poll(id)).toMatchObject({ status: 'running', error: null })
      const leftMs = engine.dueAt - clock.now()
      expect(leftMs).toBeGreaterThan((waitSeconds - 15) * SECOND)
      expect(leftMs).toBeLessThanOrEqual(waitSeconds * SECOND)
      // Delivered before its time, as at a boot: no request follows, and the time is unchanged.
      const { dueAt } = engine
      await engine.deliver()
      await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
      expect(engine.dueAt).toBe(dueAt)
      expect(setting.crew.callsOf(tag)).toHaveLength(calls)
      clock.advance(waitSeconds * SECOND)
      await nextTurn()
    }
    expect(await setting.poll(id)).toMatchObject({ status: 'completed' })
    const nodes = await setting.nodes(id)
    expect(nodes.at(-1)).toMatchObject({ nodeId: 'ask', status: 'completed', attempts: 3 })
    expect(setting.crew.callsOf(tag)).toHaveLength(3)
  })

  test('fails its run after the last failed attempt', async () => {
    const tag = newTag()
    failing(tag, 9)
    const graph = {
      nodes: [start, setting.agent('ask', { retries: 1, retryDelaySeconds: 31 })],
      edges: [edge('start', 'ask')],
    }
    const id = await begin(graph, tag)
    clock.advance(31 * SECOND)
    await nextTurn()
    expect(await setting.poll(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Node ask ("ask") failed'),
    })
    expect(setting.crew.callsOf(tag)).toHaveLength(2)
    expect((await setting.nodes(id)).at(-1)).toMatchObject({ status: 'failed', attempts: 2 })
  })

  test('lets other branches continue in the meantime, and does not call them again', async () => {
    const tag = newTag()
    setting.crew.behave(tag, (_nth, name) =>
      name === 'late' && setting.crew.callsOf(tag).filter((call) => call.name === 'late').length === 1
        ? { status: 500 }
        : { firstTokenDelayMs: 100 },
    )
    const graph = {
      nodes: [
        start,
        setting.prompt('late', { retries: 1, retryDelaySeconds: 60 }),
        setting.prompt('one'),
        setting.prompt('two'),
        node('join', 'edit-fields', {
          rows: [
            { name: 'late', value: '{{ upstream.late.output }}' },
            { name: 'two', value: '{{ upstream.two.output }}' },
          ],
        }),
      ],
      edges: [
        edge('start', 'late'),
        edge('start', 'one'),
        edge('one', 'two'),
        edge('late', 'join'),
        edge('two', 'join'),
      ],
    }
    const id = await begin(graph, tag)
    expect(
      setting.crew
        .callsOf(tag)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['late', 'one', 'two'])
    clock.advance(60 * SECOND)
    await nextTurn()
    expect(await setting.poll(id)).toMatchObject({ status: 'completed' })
    expect(await setting.output(id)).toEqual({
      late: `late reports on it for ${tag}: all is well.`,
      two: `two reports on it for ${tag}: all is well.`,
    })
    const calls = setting.crew.callsOf(tag).map(({ name }) => name)
    expect(calls.toSorted()).toEqual(['late', 'late', 'one', 'two'])
  })

  test('is abandoned by a cancel, and by a pause only until the run is resumed', async () => {
    const tag = newTag()
    failing(tag, 1)
    const graph = {
      nodes: [start, setting.prompt('ask', { retries: 1, retryDelaySeconds: 300 })],
      edges: [edge('start', 'ask')],
    }
    const id = await begin(graph, tag)
    await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
    const lost = engine.lose()
    expect((await setting.change(id, 'pause')).body).toMatchObject({ status: 'paused' })
    engine.held.push(...lost)
    clock.advance(300 * SECOND)
    await engine.deliver()
    expect(setting.crew.callsOf(tag), 'nothing starts while it is paused').toHaveLength(1)
    expect((await setting.change(id, 'resume')).body).toMatchObject({ status: 'running' })
    await nextTurn()
    expect(await setting.poll(id)).toMatchObject({ status: 'completed' })

    const second = newTag()
    failing(second, 1)
    const cancelled = await begin(graph, second)
    expect((await setting.change(cancelled, 'cancel')).body).toMatchObject({ status: 'cancelled' })
    clock.advance(300 * SECOND)
    await nextTurn()
    expect(setting.crew.callsOf(second)).toHaveLength(1)
    expect(await setting.poll(cancelled)).toMatchObject({ status: 'cancelled' })
  })
})
