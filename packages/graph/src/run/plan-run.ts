import type { Activation, Change, RunState } from './run-state.ts'

/** Where a run stands and what may be done now. */
export interface NextSteps {
  /** `awaiting_approval`: only people can go on. The last three are the end. */
  status: 'running' | 'awaiting_approval' | 'completed' | 'failed' | 'loop_limit_reached'
  /** What may start, in canvas order; empty when nothing new may start. */
  start: Activation[]
  /** What runs. */
  running: Activation[]
  /** Whether what runs is to be aborted: something failed, or a Loop hit its ceiling. */
  abort: boolean
  /** Null before the end and after a failure. */
  output: unknown
  /** Null unless failed. */
  error: string | null
}

/** Looks at a run without changing it. */
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

/** What happened since the last call, in order. */
export function takeChanges(run: RunState): Change[] {
  const { changes } = run
  run.changes = []
  return changes
}
