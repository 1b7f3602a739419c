import { expect, test } from 'vitest'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { validateGraph, validateGraphInSteps } from './validate-graph.ts'

const NODES = 5_000

/** 2.6 MB: each node reads the previous one and another one halfway back. */
function large() {
  const id = (at: number) => (at === 0 ? 't' : `n${at}`)
  const read = (at: number) => `{{ upstream.${id(at)}.output.value }}`
  const nodes = Array.from({ length: NODES }, (_, at) => ({
    id: id(at),
    type: at === 0 ? 'http-request' : 'edit-fields',
    name: id(at),
    parentId: null,
    position: { x: 0, y: at },
    config: at < 2 ? {} : { value: `${'x'.repeat(250)}${read(at - 1)}${read(Math.max(1, at >> 1))}` },
  }))
  const edges = nodes.slice(1).map(({ id: target }, at) => {
    return { id: `${id(at)}-${target}`, source: id(at), sourceHandle: 'out', target }
  })
  return { nodes, edges }
}

/** CPU time of this process, which a busy machine does not stretch. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

// A former fault: a draft of 2.7 MB blocked the event loop for 1.5 s. The steps let other requests run in between.
test('no step of the check of a large graph takes long, and together they find the same', () => {
  const graph = large()
  const steps = validateGraphInSteps(graph, TEST_NODE_TYPES)
  let [count, longest] = [0, 0]
  for (let startedAt = processorMs(); ; startedAt = processorMs()) {
    const step = steps.next()
    longest = Math.max(longest, processorMs() - startedAt)
    count += 1
    if (!step.done) continue
    expect(step.value).toEqual(validateGraph(graph, TEST_NODE_TYPES))
    break
  }
  expect(count).toBeGreaterThan(3 * NODES)
  expect(longest).toBeLessThan(400)
})

test('the nodes of a graph with too many are counted and not read', () => {
  let reads = 0
  const node = {
    get id() {
      reads += 1
      return 'a'
    },
  }
  const { problems } = validateGraph({ nodes: Array(10_001).fill(node), edges: [] }, TEST_NODE_TYPES)
  expect(problems.map(({ path, message }) => [path, message])).toEqual([
    ['nodes', 'must have at most 10000 items'],
  ])
  expect(reads).toBe(0)
})
