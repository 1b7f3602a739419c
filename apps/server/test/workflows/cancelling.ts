import type { Database } from '@troupe/storage'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { expect } from 'vitest'
import { EVENTUALLY, newTag } from '../jobs/job-setting.ts'
import { closedBySignal } from '../runs/held-polls.ts'
import { WorkflowSetting } from './workflow-setting.ts'

/** Nodes that wait for a model, by the number of the call in which they are cancelled. */
const WAITING_NODES = {
  'ai-prompt': 1,
  classify: 1,
  'ai-agent': 1,
  'team-step': 2,
} as const
type WaitingNode = keyof typeof WAITING_NODES
export const WAITING_TYPES = Object.keys(WAITING_NODES) as WaitingNode[]

/** The outcomes of many races of a cancel against the end of a run. */
export interface Races {
  won: { cancelled: number; completed: number }
  /** The contradictions of two parties about one run. */
  contradictions: string[]
}

const AT_ONCE = 8
/** A factor, so that a busy machine reaches its delay after a few races. */
const STEP = 1.2

/** Two servers on one database: the first works on the runs, callers may land on either. */
export class Cancelling implements AsyncDisposable {
  readonly setting: WorkflowSetting
  readonly servers: readonly [TestServer, TestServer]
  readonly #resources: AsyncDisposableStack

  private constructor(setting: WorkflowSetting, second: TestServer, resources: AsyncDisposableStack) {
    this.setting = setting
    this.servers = [setting.server, second]
    this.#resources = resources
  }

  /** `open` returns a separate connection to one database each time, or the same embedded database. */
  static async start(open: () => Promise<Database>): Promise<Cancelling> {
    await using resources = new AsyncDisposableStack()
    const setting = resources.use(await WorkflowSetting.start({ overrides: { database: await open() } }))
    const second = resources.use(await startTestServer({ overrides: { database: await open() } }))
    return new Cancelling(setting, second, resources.move())
  }

  #graph(type: WaitingNode) {
    const { setting } = this
    const waiting = {
      'ai-prompt': () => setting.prompt('waits', { retries: 3 }),
      classify: () => setting.classify('waits', { retries: 3 }),
      'ai-agent': () => setting.agent('waits', { retries: 3 }),
      'team-step': () => setting.team('waits', 'dynamic-delegation'),
    }[type]()
    return { nodes: [node('start', 'manual-trigger'), waiting], edges: [edge('start', 'waits')] }
  }

  /** Cancels a run whose node waits for a model: the signal closes its sockets, and no request follows. */
  async closeSockets(type: WaitingNode, on: TestServer): Promise<void> {
    const { setting } = this
    const { crew } = setting
    const tag = newTag()
    crew.holdFrom(tag, WAITING_NODES[type])
    const id = await setting.start(await setting.publish(this.#graph(type)), tag)
    const expected = type === 'team-step' ? 2 : 1
    await expect.poll(() => crew.hanging(tag).length, EVENTUALLY).toBe(expected)
    const open = crew.heldCalls(tag)
    const answer = await closedBySignal(this.servers, open, () => setting.change(id, 'cancel', on))
    expect(answer.body).toEqual({ executionId: id, status: 'cancelled' })
    const calls = crew.callsOf(tag).length
    for (const server of this.servers) {
      expect(await setting.poll(id, server)).toMatchObject({ status: 'cancelled', error: null })
    }
    const { active } = setting.server.context.workflows
    await expect.poll(() => active.size, EVENTUALLY).toBe(0)
    expect(crew.callsOf(tag), 'nothing is asked any more').toHaveLength(calls)
  }

  /** Cancels runs about when they end. */
  async race(count: number): Promise<Races> {
    const { setting } = this
    const workflowId = await setting.publish({
      nodes: [
        node('start', 'manual-trigger'),
        setting.prompt('ask'),
        node('last', 'edit-fields', { rows: [{ name: 'said', value: '{{ upstream.ask.output }}' }] }),
      ],
      edges: [edge('start', 'ask'), edge('ask', 'last')],
    })
    const races: Races = { won: { cancelled: 0, completed: 0 }, contradictions: [] }
    const told = new Map<string, string>()
    let next = 0
    // Milliseconds between the model's call and the cancel; moves to the value at which both win about
    // equally often.
    let delayMs = 6
    const runner = async () => {
      while (next < count) {
        const index = next
        next += 1
        const tag = newTag()
        const asked = Promise.withResolvers<void>()
        setting.crew.behave(tag, () => {
          asked.resolve()
          return { headersDelayMs: 2, paceMs: 0 }
        })
        const id = await setting.start(workflowId, tag)
        await asked.promise
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * delayMs))
        const server = this.servers[index % 2] as TestServer
        const { status } = (await setting.change(id, 'cancel', server)).body as { status: string }
        delayMs = Math.max(0.5, status === 'cancelled' ? delayMs * STEP : delayMs / STEP)
        told.set(id, status)
        if (status === 'cancelled' || status === 'completed') races.won[status] += 1
        else races.contradictions.push(`${id}: the cancel says ${status}`)
        const polled = await setting.poll(id, server)
        if (polled.status !== status) races.contradictions.push(`${id}: ${status}, polled ${polled.status}`)
        setting.crew.release(tag)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, runner))
    await expect.poll(() => setting.server.context.workflows.active.size, EVENTUALLY).toBe(0)
    // A verdict never changes: all of them are read again at the end.
    for (const [id, status] of told) {
      const polled = await setting.poll(id)
      const output = await setting.output(id)
      if (polled.status !== status) races.contradictions.push(`${id}: ${status} has become ${polled.status}`)
      if ((status === 'completed') !== (output !== null)) {
        races.contradictions.push(`${id}: ${status} with the output ${JSON.stringify(output)}`)
      }
    }
    return races
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync()
  }
}
