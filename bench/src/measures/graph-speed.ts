import { compileGraph, planRun, startGraphRun, validateGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { median } from '../load/statistics.ts'
import { largeGraph } from '../targets/large-graph.ts'

const ROUNDS = 7
const SIZES = [1_000, 10_000]

/** The cost of a graph of a given size; medians in milliseconds. */
export interface GraphRow {
  nodes: number
  edges: number
  /** Size of the graph's JSON. */
  kilobytes: number
  validateMs: number
  compileMs: number
  /** Planning the start of a run: which nodes may run first. */
  planMs: number
}

function timed<T>(work: () => T): [number, T] {
  const before = performance.now()
  const result = work()
  return [performance.now() - before, result]
}

/** Validating, compiling and planning large graphs, with the product's node types, in this process. */
export function measureGraphSpeed(): GraphRow[] {
  return SIZES.map((size) => {
    const input = largeGraph(size)
    const rounds = Array.from({ length: ROUNDS }, () => {
      const [validateMs, { graph, problems }] = timed(() => validateGraph(input, NODE_TYPES))
      if (!graph || problems.length > 0) throw new Error(`the graph is not sound: ${problems[0]?.message}`)
      const [compileMs, compiled] = timed(() => compileGraph(graph, NODE_TYPES))
      const [planMs, plan] = timed(() =>
        planRun(startGraphRun(compiled, { kind: 'api', input: { amount: 1 } })),
      )
      if (plan.start.length !== 1) throw new Error('the run does not begin')
      return { validateMs, compileMs, planMs }
    })
    return {
      nodes: input.nodes.length,
      edges: input.edges.length,
      kilobytes: JSON.stringify(input).length / 1024,
      validateMs: median(rounds.map((round) => round.validateMs)),
      compileMs: median(rounds.map((round) => round.compileMs)),
      planMs: median(rounds.map((round) => round.planMs)),
    }
  })
}
