import type { Activation, RunState } from '@troupe/graph'
import { scopeAt } from '@troupe/graph'
import { type ExecutedNode, NodeFailure, type NodeHandler } from '../ports/node-handler.ts'
import type { ClaimedWorkflowRun } from '../ports/workflow-store.ts'
import { isInterruption } from '../run/interruption.ts'
import type { WorkflowDependencies } from './dependencies.ts'
import { sleep } from './sleep.ts'

/** How an effect ended. `interrupted`: the run goes on in another turn, and so does this node. */
export type EffectEnd =
  | { kind: 'executed'; executed: ExecutedNode }
  | { kind: 'failed'; message: string }
  | { kind: 'aborted' }
  | { kind: 'interrupted' }

type EffectHandler = Extract<NodeHandler, { kind: 'effect' }>

/** Everything that one effect needs. */
export interface EffectRun {
  deps: WorkflowDependencies
  run: ClaimedWorkflowRun
  state: RunState
  place: Activation
  handler: EffectHandler
  /** Aborted when the run ends or closes. */
  signal: AbortSignal
}

function executionOf({ deps, run, state, place }: EffectRun, signal: AbortSignal) {
  const node = state.graph.nodes.get(place.nodeId)
  if (!node) throw new RangeError(`no node ${place.nodeId}`)
  const { fence, organizationId, projectId, workflowId } = run
  return {
    node,
    path: place.path,
    iteration: place.iteration,
    scope: scopeAt(state, place),
    run: { runId: fence.runId, organizationId, projectId, workflowId },
    signal,
    services: deps.services(run, place, signal),
  }
}

/**
 * Executes an effect with its own time limit and its own retries. Never rejects: a defect of a handler is the failure of
 * its node, told to the log only.
 */
export async function runEffect(effect: EffectRun): Promise<EffectEnd> {
  const { deps, state, place, handler, signal } = effect
  const node = state.graph.nodes.get(place.nodeId)
  const { timeoutSeconds, retries, retryDelaySeconds } = handler.timing(node?.config ?? {})
  for (let retry = 0; ; retry += 1) {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
    try {
      const execution = executionOf(effect, AbortSignal.any([signal, timeout]))
      return { kind: 'executed', executed: await handler.execute({ ...execution, retry }) }
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted' }
      if (isInterruption(error)) return { kind: 'interrupted' }
      if (timeout.aborted) {
        if (retry >= retries)
          return { kind: 'failed', message: `it took longer than ${timeoutSeconds} seconds` }
      } else if (!(error instanceof NodeFailure)) {
        deps.telemetry.backgroundFailed('workflow node', error)
        return { kind: 'failed', message: 'it failed unexpectedly' }
      } else if (retry >= retries) {
        return { kind: 'failed', message: error.message }
      }
    }
    if (!(await sleep(retryDelaySeconds * 1000 * 2 ** retry, signal))) return { kind: 'aborted' }
  }
}
