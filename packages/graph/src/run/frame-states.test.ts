import { describe, expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { parseSketch } from '../testing/parse-sketch.ts'
import { applyResult, takeReady } from './apply-result.ts'
import { type FrameRow, frameStates } from './frame-states.ts'
import { startGraphRun } from './start-graph-run.ts'

const compiled = (sketch: string) => compileGraph(parseSketch(sketch), TEST_NODE_TYPES)
const completed = (nodeId: string, handles: string[] | null = null): FrameRow => ({
  nodeId,
  status: 'completed',
  handles,
})
const statesOf = (sketch: string, ...rows: FrameRow[]) =>
  Object.fromEntries([...frameStates(compiled(sketch).root, rows)].map(([id, { status }]) => [id, status]))

describe('the states of a frame', () => {
  test('steps behind an untaken handle are skipped, and their join is not', () => {
    expect(
      statesOf(
        't→i, i.true→a→j, i.false→b→c→j',
        completed('t'),
        completed('i', ['true']),
        completed('a'),
        completed('j'),
      ),
    ).toEqual({
      ...{ t: 'completed', i: 'completed', a: 'completed', j: 'completed' },
      ...{ b: 'skipped', c: 'skipped' },
    })
  })

  test('a skipped step has the deciding step, however far away, and its taken handles', () => {
    const states = frameStates(compiled('t→i, i.true→a, i.false→b→c').root, [
      completed('t'),
      completed('i', ['true']),
    ])
    expect(states.get('c')).toEqual({
      status: 'skipped',
      because: { kind: 'handles', nodeId: 'i', taken: ['true'] },
    })
  })

  test('successors of a step that has not ended are pending, and so are those of a failure', () => {
    expect(
      statesOf(
        't→a→b, t→c→j, b→j',
        completed('t'),
        { nodeId: 'a', status: 'failed', handles: null },
        { nodeId: 'c', status: 'running', handles: null },
      ),
    ).toEqual({
      ...{ t: 'completed', a: 'failed', b: 'pending', c: 'running', j: 'pending' },
    })
    expect(statesOf('t→a')).toEqual({ t: 'pending', a: 'pending' })
  })

  test("the successors of a Loop's end are skipped if the Loop took no such handle", () => {
    expect(statesOf('t→l, l.body→a(l), l.done→z', completed('t'), completed('l'))).toMatchObject({
      l: 'completed',
      z: 'pending',
    })
  })
})

test('for every path through a graph, a run and the derived states agree on each step', () => {
  const sketch = parseSketch('t→i, i.true→a→j, i.false→b→j, t→k, k.true→x→z, k.false→y→z, j→z, x→q')
  const nodes = sketch.nodes.map((node) => (node.id === 'k' ? { ...node, type: 'if-else' } : node))
  const graph = compileGraph({ ...sketch, nodes }, TEST_NODE_TYPES)
  for (const [i, k] of [
    ['true', 'true'],
    ['true', 'false'],
    ['false', 'true'],
    ['false', 'false'],
  ] as const) {
    const run = startGraphRun(graph, { kind: 'api', input: {} })
    const rows: FrameRow[] = [completed('t')]
    for (let next = takeReady(run); next; next = takeReady(run)) {
      const handles = next.nodeId === 'i' ? [i] : next.nodeId === 'k' ? [k] : ['out']
      rows.push(completed(next.nodeId, handles))
      applyResult(run, next, { status: 'completed', output: null, handles })
    }
    const derived = [...frameStates(graph.root, rows)].map(([id, { status }]) => `${id} ${status}`)
    const happened = graph.root.nodes.map((node) => `${node.id} ${run.root.status[node.slot]}`)
    expect(derived).toEqual(happened)
  }
})
