import type { State } from './badge.tsx'

/** How the statuses of runs look. A status of a newer server looks like one that waits. */
const STATES: Readonly<Record<string, State>> = {
  queued: 'queued',
  running: 'running',
  paused: 'paused',
  awaiting_approval: 'waiting',
  completed: 'completed',
  failed: 'failed',
  timeout: 'failed',
  loop_limit_reached: 'failed',
  policy_blocked: 'failed',
  concurrency_limit_reached: 'failed',
  cancelled: 'cancelled',
}

/** The state that the status of a run is shown as. */
export function stateOfRun(status: string): State {
  return STATES[status] ?? 'waiting'
}
