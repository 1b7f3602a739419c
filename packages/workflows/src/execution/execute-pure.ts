import { type Activation, type RunState, scopeAt } from '@troupe/graph'
import { type ExecutedNode, NodeFailure } from '../ports/node-handler.ts'
import type { NodeRuntime } from './dependencies.ts'
import { NO_TRACE } from './run-effect.ts'
import type { RunIdentity } from './run-identity.ts'

/** The turn that executes a node. */
interface Turn {
  deps: NodeRuntime
  run: RunIdentity
  state: RunState
  signal: AbortSignal
}

/** The result of a pure node that is not executed, because the previous ones have computed too long. */
export const TOO_MUCH_COMPUTING: ExecutedNode = {
  ...NO_TRACE,
  result: {
    status: 'failed',
    message:
      'the conditions and patterns of this run have taken more than 30 seconds of computing; use fewer counted repetitions, or shorter texts',
  },
}

/**
 * Executes a pure node. A handler's defect fails the node, and only the log shows the details. Throws a
 * `RangeError` for a node that is not pure.
 */
export function executePure({ deps, run, state, signal }: Turn, place: Activation): ExecutedNode {
  const node = state.graph.nodes.get(place.nodeId)
  const handler = node && deps.handlers.get(node.type)
  if (!node || handler?.kind !== 'pure') throw new RangeError(`no pure handler for node ${place.nodeId}`)
  const { fence, organizationId, projectId, workflowId } = run
  try {
    return handler.execute({
      node,
      path: place.path,
      iteration: place.iteration,
      scope: scopeAt(state, place),
      run: { runId: fence.runId, organizationId, projectId, workflowId },
      signal,
      services: deps.services(run, place, signal),
    })
  } catch (error) {
    const isExpected = error instanceof NodeFailure
    if (!isExpected) deps.telemetry.backgroundFailed('workflow node', error)
    const message = isExpected ? error.message : 'it failed unexpectedly'
    const trace = isExpected ? error.trace : {}
    return { ...NO_TRACE, ...trace, result: { status: 'failed', message } }
  }
}
