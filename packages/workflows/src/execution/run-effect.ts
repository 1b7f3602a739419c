import { isInterruption } from '@troupe/durable-work'
import type { Activation, RunState } from '@troupe/graph'
import { scopeAt } from '@troupe/graph'
import {
  type ExecutedNode,
  NodeFailure,
  type NodeHandler,
  type NodeTrace,
  NodeWaits,
} from '../ports/node-handler.ts'
import type { NodeRuntime } from './dependencies.ts'
import { LONGEST_HELD_RETRY_MS } from './late-retries.ts'
import type { RunIdentity } from './run-identity.ts'
import { sleepUnlessAborted } from './sleep-unless-aborted.ts'

/**
 * The end of an effect. `waits`: the run that it has started waits for approvals. `interrupted`: the run continues in
 * another turn, and so does this node. `postponed`: it failed and may be retried, but too late for this process to
 * wait.
 */
export type EffectEnd =
  | { kind: 'executed'; executed: ExecutedNode }
  | { kind: 'failed'; message: string; trace: NodeTrace }
  | { kind: 'postponed'; retry: number; waitMs: number; trace: NodeTrace }
  | { kind: 'waits'; retry: number; trace: NodeTrace }
  | { kind: 'aborted' }
  | { kind: 'interrupted' }

/** The trace of an effect that reported nothing. */
export const NO_TRACE: NodeTrace = { input: null, agentRunId: null, inputTokens: 0, outputTokens: 0 }

type EffectHandler = Extract<NodeHandler, { kind: 'effect' }>

/** Everything that one effect needs. */
export interface EffectRun {
  deps: NodeRuntime
  run: RunIdentity
  state: RunState
  place: Activation
  handler: EffectHandler
  /** Failed attempts in earlier turns. */
  retry: number
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
 * Executes an effect with its own time limit and retries. Never rejects: a handler's defect fails its node,
 * and only the log shows the details.
 */
export async function runEffect(effect: EffectRun): Promise<EffectEnd> {
  const { deps, state, place, handler, signal } = effect
  const node = state.graph.nodes.get(place.nodeId)
  const { timeoutSeconds, retries, retryDelaySeconds } = handler.timing(node?.config ?? {})
  // Failed attempts also have a cost.
  const trace: NodeTrace = { ...NO_TRACE }
  const spend = (used: Partial<NodeTrace>) => {
    trace.inputTokens += used.inputTokens ?? 0
    trace.outputTokens += used.outputTokens ?? 0
    trace.input = used.input ?? trace.input
    trace.agentRunId = used.agentRunId ?? trace.agentRunId
    if (used.note) trace.note = used.note
  }
  const given = (input: unknown) => {
    trace.input = input
  }
  for (let retry = effect.retry; ; retry += 1) {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
    try {
      const execution = executionOf(effect, AbortSignal.any([signal, timeout]))
      const executed = await handler.execute({ ...execution, retry, given })
      spend(executed)
      return { kind: 'executed', executed: { ...trace, result: executed.result } }
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted' }
      if (isInterruption(error)) return { kind: 'interrupted' }
      // Its cost is known when the run of the node has ended.
      if (error instanceof NodeWaits) {
        return { kind: 'waits', retry, trace: { ...trace, agentRunId: error.agentRunId } }
      }
      const failure = failureOf(error, timeout.aborted ? timeoutSeconds : null)
      if (!failure) {
        deps.telemetry.backgroundFailed('workflow node', error)
        return { kind: 'failed', message: 'it failed unexpectedly', trace }
      }
      if (error instanceof NodeFailure) spend(error.trace)
      if (retry >= retries) return { kind: 'failed', message: failure, trace }
    }
    const waitMs = retryDelaySeconds * 1000 * 2 ** retry
    if (waitMs > LONGEST_HELD_RETRY_MS) return { kind: 'postponed', retry: retry + 1, waitMs, trace }
    if (!(await sleepUnlessAborted(waitMs, signal))) return { kind: 'aborted' }
  }
}

/** The safe message of a failure that may be retried; null for a defect. */
function failureOf(error: unknown, timeoutSeconds: number | null): string | null {
  if (timeoutSeconds !== null) return `it took longer than ${timeoutSeconds} seconds`
  return error instanceof NodeFailure ? error.message : null
}
