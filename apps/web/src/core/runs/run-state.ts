/** How a run is shown: the shape, colour and word of its status. */
export type RunState = 'queued' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled'

const STATES: Readonly<Record<string, RunState>> = {
  queued: 'queued',
  running: 'running',
  paused: 'paused',
  // Of nodes.
  waiting: 'waiting',
  awaiting_approval: 'waiting',
  completed: 'completed',
  failed: 'failed',
  timeout: 'failed',
  loop_limit_reached: 'failed',
  policy_blocked: 'failed',
  concurrency_limit_reached: 'failed',
  cancelled: 'cancelled',
}

/** The state that the status of a run or a node is shown as. A status of a newer server looks like one that waits. */
export function stateOfRun(status: string): RunState {
  return STATES[status] ?? 'waiting'
}

/** Whether a run has ended. */
export function isEnded(status: string): boolean {
  const state = stateOfRun(status)
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}
