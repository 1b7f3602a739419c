import {
  applyResult,
  compileGraph,
  type GraphInput,
  type NodeResult,
  type Outcome,
  parseGraph,
  scopeAt,
  startGraphRun,
  takeReady,
  validateGraph,
} from '@troupe/graph'
import { NodeFailure } from '@troupe/workflows/ports'
import { NODE_TYPES } from '../definitions.ts'
import { NODE_HANDLERS } from '../handlers.ts'

/** The findings of a validation: `severity path message`. */
export function problemsOf(graph: GraphInput): string[] {
  const { problems } = validateGraph(graph, NODE_TYPES)
  return problems.map(({ severity, path, message }) => `${severity} ${path} ${message}`)
}

/** Runs a graph of pure nodes to its end, executing their handlers sequentially. */
export function runGraph(input: GraphInput, payload: unknown): Outcome {
  const parsed = parseGraph(input)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  const run = startGraphRun(compileGraph(parsed.value, NODE_TYPES), { kind: 'api', input: payload })
  for (let place = takeReady(run); place; place = takeReady(run)) {
    const node = run.graph.nodes.get(place.nodeId)
    const handler = NODE_HANDLERS.get(node?.type ?? '')
    if (!node || handler?.kind !== 'pure') throw new Error(`${place.nodeId} is not pure`)
    const execution = { node, path: place.path, iteration: place.iteration, scope: scopeAt(run, place) }
    let result: NodeResult
    try {
      result = handler.execute({ ...execution, signal: new AbortController().signal } as never).result
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error
      result = { status: 'failed', message: error.message }
    }
    applyResult(run, place, result)
  }
  if (!run.outcome) throw new Error('the run has not ended')
  return run.outcome
}
