/** A node or an edge of a graph in the bundle format. */
interface BenchGraph {
  nodes: { id: string; type: string; name: string; parentId?: string; config: Record<string, unknown> }[]
  edges: { id: string; source: string; sourceHandle?: string; target: string }[]
}

/** A workflow of the benchmark, and the rows that a run of it writes. */
export interface MeasuredWorkflow {
  id: string
  name: string
  graph: BenchGraph
  /** Rows of a run in `workflow_node_runs` and in `workflow_iterations`. */
  nodeRows: number
  iterationRows: number
}

const start = { id: 'start', type: 'http-request', name: 'Start', config: {} }
const edge = (source: string, target: string, sourceHandle = 'out') => ({
  id: `${source}-${sourceHandle}-${target}`,
  source,
  sourceHandle,
  target,
})
const setting = (id: string, value: string) => ({
  id,
  type: 'edit-fields',
  name: `Edit ${id}`,
  config: { rows: [{ name: 'amount', value }] },
})

/** Trigger, Edit Fields, If / Else, Edit Fields: the smallest useful workflow. */
const branch: BenchGraph = {
  nodes: [
    start,
    setting('order', '{{ trigger.amount }}'),
    {
      id: 'large',
      type: 'if-else',
      name: 'Large?',
      config: { conditions: [{ left: '{{ upstream.order.output.amount }}', op: 'gt', right: 10 }] },
    },
    setting('answer', 'The amount is {{ upstream.order.output.amount }}.'),
  ],
  edges: [edge('start', 'order'), edge('order', 'large'), edge('large', 'answer', 'true')],
}

const PURE_NODES = 20
const step = (at: number) => `step${at + 1}`

/** A trigger and a chain of pure nodes, each of which reads the previous one. */
const chain: BenchGraph = {
  nodes: [
    start,
    ...Array.from({ length: PURE_NODES }, (_, at) =>
      setting(step(at), at === 0 ? '{{ trigger.amount }}' : `{{ upstream.${step(at - 1)}.output.amount }}`),
    ),
  ],
  edges: Array.from({ length: PURE_NODES }, (_, at) => edge(at === 0 ? 'start' : step(at - 1), step(at))),
}

const ITERATIONS = 1_000

const repeat: BenchGraph = {
  nodes: [
    start,
    { id: 'loop', type: 'loop', name: 'Repeat', config: { mode: 'count', count: ITERATIONS } },
    { ...setting('square', '{{ loop.index }}'), parentId: 'loop' },
  ],
  edges: [edge('start', 'loop'), edge('loop', 'square', 'body')],
}

const id = (last: string) => `0b8f6f0e-6a55-4a8e-9c5e-0d5a5f3f7d0${last}`

/** The input of every workflow. */
export const WORKFLOW_BODY = JSON.stringify({ input: { amount: 25 } })

const BRANCH: MeasuredWorkflow = {
  id: id('1'),
  name: '(a) trigger, fields, if, fields',
  graph: branch,
  nodeRows: 4,
  iterationRows: 0,
}

/** The workflows of the benchmark, smallest first. */
export const WORKFLOWS: readonly MeasuredWorkflow[] = [
  BRANCH,
  { id: id('2'), name: '(b) 20 pure nodes', graph: chain, nodeRows: PURE_NODES + 1, iterationRows: 0 },
  {
    id: id('3'),
    name: '(c) 1,000 iterations',
    graph: repeat,
    nodeRows: ITERATIONS + 2,
    iterationRows: ITERATIONS,
  },
]
