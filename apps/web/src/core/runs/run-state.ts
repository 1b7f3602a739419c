/** How a run looks: the shape, colour and word of its status. */
export type RunLook = 'queued' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled'

const LOOKS: Readonly<Record<string, RunLook>> = {
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

/** The look of a status of any kind of run or node; unknown ones look queued. */
export function runLook(status: string): RunLook {
  return LOOKS[status] ?? 'queued'
}

/** Whether a run has ended. */
export function isEnded(status: string): boolean {
  const look = runLook(status)
  return look === 'completed' || look === 'failed' || look === 'cancelled'
}
