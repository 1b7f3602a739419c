import type { Activation, Change, RunState } from './run-state.ts'

/** The status of a run and its next actions. */
export interface NextSteps {
  /** `awaiting_approval`: only a person can continue the run. The last three are final. */
  status: 'running' | 'awaiting_approval' | 'completed' | 'failed' | 'loop_limit_reached'
  /** Nodes that may start, in the order of the graph; empty when none may start. */
  start: Activation[]
  /** Running nodes. */
  running: Activation[]
  /** Whether to abort the running nodes: a node failed, or a Loop hit its ceiling. */
  abort: boolean
  /** Null before the end and after a failure. */
  output: unknown
  /** Null unless failed. */
  error: string | null
}

/** Plans a run without changing it. */
export function planRun(run: RunState): NextSteps {
  const { outcome } = run
  const running = outcome ? [] : [...run.running.values()]
  const isOpen = !run.closing && !outcome
  const start = isOpen
    ? run.ready.map(({ frame, node, iteration }) => ({ path: frame.path, nodeId: node.id, iteration }))
    : []
  const isWaiting = isOpen && start.length === 0 && running.length === 0 && run.waiting > 0
  return {
    status: outcome?.status ?? (isWaiting ? 'awaiting_approval' : 'running'),
    start,
    running,
    abort: run.closing !== null && !outcome,
    output: outcome?.output ?? null,
    error: outcome?.error ?? null,
  }
}

/** Returns the changes since the last call, in order. */
export function takeChanges(run: RunState): Change[] {
  const { changes } = run
  run.changes = []
  return changes
}
