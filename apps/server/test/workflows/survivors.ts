import { randomUUID } from 'node:crypto'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { newTag } from '../jobs/job-setting.ts'
import { instructionsOf, messageOf } from '../jobs/scripted-crew.ts'

/** The shapes of the runs of the fault test. */
export const SHAPES = ['pure', 'chain', 'branches', 'loop', 'agent'] as const
export type Shape = (typeof SHAPES)[number]

/** A run that survives the death of workers. */
export interface Survivor {
  shape: Shape
  tag: string
  runId: string
}

/** Every model call of an undisturbed run. */
export const CALLS: Readonly<Record<Shape, readonly string[]>> = {
  pure: [],
  chain: ['one', 'two', 'three'],
  branches: ['left', 'right', 'last'],
  loop: ['item 0', 'item 1', 'item 2'],
  agent: ['chat', 'after'],
}

/** The call that a completed node keeps; null for a node that makes none. */
export function callOf(path: string, nodeId: string): string | null {
  if (nodeId === 'item') return `item ${/\[(\d+)\]$/.exec(path)?.[1]}`
  if (nodeId === 'ask-agent') return 'chat'
  return Object.values(CALLS).flat().includes(nodeId) ? nodeId : null
}

/** A machine that is busy with restarts also loses connections; an attempt that reached no server is not a call. */
const PATIENT = { retries: 4, retryDelaySeconds: 1 }
const start = node('start', 'manual-trigger')
const prompt = (id: string, parentId?: string, who = id) =>
  node(
    id,
    'ai-prompt',
    { system: instructionsOf(who), prompt: messageOf('{{ trigger.tag }}'), ...PATIENT },
    parentId,
  )
const rows = (values: Readonly<Record<string, string>>) => ({
  rows: Object.entries(values).map(([name, value]) => ({ name, value })),
})

const GRAPHS: Readonly<Record<Shape, { nodes: object[]; edges: object[] }>> = {
  pure: {
    nodes: [
      start,
      node('short', 'if-else', { conditions: [{ left: '{{ trigger.tag }}', op: 'is_not_empty' }] }),
      node('yes', 'edit-fields', rows({ tag: '{{ trigger.tag }}' })),
      node('no', 'edit-fields', rows({ tag: 'none' })),
    ],
    edges: [edge('start', 'short'), edge('short', 'yes', 'true'), edge('short', 'no', 'false')],
  },
  chain: {
    nodes: [
      start,
      prompt('one'),
      prompt('two'),
      prompt('three'),
      node(
        'end',
        'edit-fields',
        rows({ first: '{{ upstream.one.output }}', last: '{{ upstream.three.output }}' }),
      ),
    ],
    edges: [edge('start', 'one'), edge('one', 'two'), edge('two', 'three'), edge('three', 'end')],
  },
  branches: {
    nodes: [
      start,
      prompt('left'),
      prompt('right'),
      node(
        'join',
        'edit-fields',
        rows({ left: '{{ upstream.left.output }}', right: '{{ upstream.right.output }}' }),
      ),
      prompt('last'),
      node(
        'end',
        'edit-fields',
        rows({ both: '{{ upstream.join.output }}', last: '{{ upstream.last.output }}' }),
      ),
    ],
    edges: [
      edge('start', 'left'),
      edge('start', 'right'),
      edge('left', 'join'),
      edge('right', 'join'),
      edge('join', 'last'),
      edge('last', 'end'),
    ],
  },
  loop: {
    nodes: [
      start,
      node('each', 'loop', { mode: 'list', source: ['x', 'y', 'z'] }),
      prompt('item', 'each', 'item {{ loop.index }}'),
    ],
    edges: [edge('start', 'each'), edge('each', 'item', 'body')],
  },
  agent: {
    nodes: [
      start,
      node('ask-agent', 'ai-agent', { agent: 'ada', message: messageOf('{{ trigger.tag }}'), ...PATIENT }),
      prompt('after'),
      node(
        'end',
        'edit-fields',
        rows({ agent: '{{ upstream.ask-agent.output }}', after: '{{ upstream.after.output }}' }),
      ),
    ],
    edges: [edge('start', 'ask-agent'), edge('ask-agent', 'after'), edge('after', 'end')],
  },
}

/** The output of a run of the shape without crashes. */
export function outputOf(shape: Shape, tag: string): unknown {
  const said = (who: string) => `${who} reports on it for ${tag}: all is well.`
  switch (shape) {
    case 'pure':
      return { tag }
    case 'chain':
      return { first: said('one'), last: said('three') }
    case 'branches':
      return { both: { left: said('left'), right: said('right') }, last: said('last') }
    case 'loop':
      return [0, 1, 2].map((index) => said(`item ${index}`))
    case 'agent':
      return { agent: `Ada has worked for ${tag}, word by word.`, after: said('after') }
    default:
      return shape satisfies never
  }
}

/** The workflows by shape, and one that only waits for people, with the items of a bundle that publishes them. */
export function survivorWorkflows() {
  const ids = Object.fromEntries([...SHAPES, 'waiting'].map((name) => [name, randomUUID()])) as Record<
    Shape | 'waiting',
    string
  >
  const waiting = {
    nodes: [start, node('ask', 'human-review', { title: 'Yes?' })],
    edges: [edge('start', 'ask')],
  }
  const items = Object.entries({ ...GRAPHS, waiting }).map(([slug, graph]) => ({
    slug,
    id: ids[slug as Shape],
    name: slug,
    publish: true,
    graph,
  }))
  return { ids, items }
}

/** A caller of workflows over real connections, which any process of the deployment may answer. */
export class SurvivorCaller {
  readonly #origin: () => string
  readonly #key: string

  constructor(origin: () => string, key: string) {
    this.#origin = origin
    this.#key = key
  }

  async start(workflowId: string, tag: string): Promise<{ status: number; executionId: string }> {
    const { status, body } = await this.#ask('POST', `/workflows/${workflowId}/run-async`, { input: { tag } })
    return { status, executionId: (body as { executionId: string }).executionId }
  }

  async run(shape: Shape, workflowId: string): Promise<Survivor> {
    const tag = newTag()
    const { status, executionId } = await this.start(workflowId, tag)
    if (status !== 202) throw new Error(`a run was answered with ${status}`)
    return { shape, tag, runId: executionId }
  }

  async poll(runId: string): Promise<{ status: string; error: string | null }> {
    return (await this.#ask('GET', `/workflow-jobs/${runId}`)).body as {
      status: string
      error: string | null
    }
  }

  async output(runId: string): Promise<unknown> {
    return ((await this.#ask('GET', `/workflow-jobs/${runId}/result`)).body as { output: unknown }).output
  }

  /** Names of the calls whose answers are stored. */
  async stored(runId: string): Promise<string[]> {
    const { body } = await this.#ask('GET', `/workflow-jobs/${runId}/nodes?limit=100`)
    const { data } = body as { data: { path: string; nodeId: string; status: string }[] }
    return data.flatMap(({ path, nodeId, status }) =>
      status === 'completed' ? (callOf(path, nodeId) ?? []) : [],
    )
  }

  async #ask(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.#origin()}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': this.#key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
}

/** Does `work` for every item, this many concurrently, and returns the results in their order. */
export async function each<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const runner = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      results[index] = await work(items[index] as T)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
  return results
}
