import { jsonBytes } from '@troupe/contract'
import type { CompiledGraph } from '../compile/compiled-graph.ts'
import { payloadError } from './declared-fields.ts'
import { newFrame } from './frame.ts'
import { endIfDone } from './outcome.ts'
import { complete, propagate, skip } from './propagate.ts'
import { checkedValues, type RunStart, startedTriggers, triggerValue } from './run-start.ts'
import type { RunState } from './run-state.ts'

/** Default and maximum number of iterations that a Loop may start. */
export const DEFAULT_LOOP_CEILING = 100
export const MAX_LOOP_CEILING = 1_000

/** Names the nodes that can never run and why; null when every node can. */
function unreachableError(graph: CompiledGraph): string | null {
  if (graph.unreachable.length === 0) return null
  const groups = graph.unreachable.map(
    ({ nodes, reason }) => `${nodes.map(({ id }) => id).join(', ')} (${reason})`,
  )
  return `Nodes never became reachable: ${groups.join('; ')}`
}

/**
 * Starts a run: checks the declared fields and that every node is reachable, then completes the matching triggers.
 * A run that fails a check has already ended on return.
 *
 * @param options.ceiling Iterations per activation of a Loop, clamped to 1–1000.
 */
export function startGraphRun(
  graph: CompiledGraph,
  start: RunStart,
  options: { ceiling?: number } = {},
): RunState {
  const root = newFrame('', graph.root, null, 0)
  const ceiling = Math.trunc(options.ceiling ?? DEFAULT_LOOP_CEILING)
  const run: RunState = {
    graph,
    trigger: triggerValue(start),
    ceiling: Math.min(Math.max(Number.isNaN(ceiling) ? DEFAULT_LOOP_CEILING : ceiling, 1), MAX_LOOP_CEILING),
    root,
    frames: new Map([['', root]]),
    variables: new Map(),
    ready: [],
    running: new Map(),
    waiting: 0,
    storedBytes: 0,
    changes: [],
    failures: [],
    closing: null,
    hit: null,
    outcome: null,
    isReplaying: false,
  }
  const faults = checkedValues(start).map((payload) => payloadError(graph, payload))
  const error = (faults.includes(null) ? null : faults[0]) ?? unreachableError(graph)
  if (error !== null) {
    run.closing = 'failed'
    run.failures.push(error)
  } else {
    const started = startedTriggers(graph, start)
    const bytes = jsonBytes(run.trigger)
    for (const node of graph.triggers) {
      if (started.has(node)) complete(run, root, node, run.trigger, node.handles, bytes)
      else skip(run, root, node)
    }
    for (const node of graph.triggers) propagate(run, root, node)
  }
  endIfDone(run)
  return run
}
