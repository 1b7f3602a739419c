import { jsonBytes } from '@troupe/contract'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import { takeSupplied } from './apply-result.ts'
import { payloadError } from './declared-fields.ts'
import { newFrame } from './frame.ts'
import { endIfDone } from './outcome.ts'
import { testFault } from './plan-test.ts'
import { PreparedTest } from './prepared-test.ts'
import { complete, propagate, skip } from './propagate.ts'
import { checkedValues, type RunStart, startedTriggers, triggerValue } from './run-start.ts'
import type { RunState } from './run-state.ts'
import type { TestOfRun } from './test-run.ts'
import { unreachableError } from './unreachable-error.ts'

/** Default and maximum number of iterations that a Loop may start. */
export const DEFAULT_LOOP_CEILING = 100
export const MAX_LOOP_CEILING = 1_000

/** Options of a run, which never change. */
export interface RunOptions {
  /** Iterations per activation of a Loop, clamped to 1–1000. */
  ceiling?: number
  /** Makes it a test run; null or absent: a production run. */
  test?: TestOfRun | null
}

/** Why a run fails before its first node: its payload, or unreachable nodes. For a test, only its scope is checked. */
function startFault(graph: CompiledGraph, start: RunStart, test: PreparedTest | null): string | null {
  const checks = (node: FlowNode) => test?.checksPayloadOf(node) !== false
  const faults = checkedValues(start).map((payload) => payloadError(graph, payload, checks))
  return (
    (faults.includes(null) ? null : faults[0]) ??
    (test ? testFault(test) : unreachableError(graph.unreachable))
  )
}

/**
 * Starts a run: checks the declared fields and that every node is reachable, then completes the matching triggers.
 * A run that fails a check has already ended on return.
 */
export function startGraphRun(graph: CompiledGraph, start: RunStart, options: RunOptions = {}): RunState {
  const run = openGraphRun(graph, start, options, false)
  takeSupplied(run)
  endIfDone(run)
  return run
}

/**
 * Like {@link startGraphRun}, but without consuming seeds and without ending, which both follow after stored results
 * are applied.
 */
export function openGraphRun(
  graph: CompiledGraph,
  given: RunStart,
  options: RunOptions,
  isReplaying: boolean,
): RunState {
  const test = options.test ? new PreparedTest(graph, options.test) : null
  const start = test?.startOf(given) ?? given
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
    supplied: [],
    running: new Map(),
    waiting: 0,
    storedBytes: 0,
    changes: [],
    failures: [],
    closing: null,
    hit: null,
    outcome: null,
    isReplaying,
    test,
  }
  const error = startFault(graph, start, test)
  if (error !== null) {
    run.closing = 'failed'
    run.failures.push(error)
  } else {
    const started = startedTriggers(graph, start)
    const bytes = jsonBytes(run.trigger)
    const isSeeded = test?.triggerSeed !== null && test !== null
    for (const node of graph.triggers) {
      if (started.has(node)) complete(run, root, node, run.trigger, node.handles, bytes, isSeeded)
      else skip(run, root, node)
    }
    for (const node of graph.triggers) propagate(run, root, node)
  }
  return run
}
