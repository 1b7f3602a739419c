import type { AgentRunDetail, RunDetail } from '@troupe/contract/builder'

/** The appearance of a run: the shape, colour and word of its status. */
export type ShownRunState = 'queued' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled'

const STATES: Readonly<Record<string, ShownRunState>> = {
  queued: 'queued',
  running: 'running',
  paused: 'paused',
  // Statuses of nodes.
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

/** The displayed state of the status of a run or a node. An unknown status of a newer server is shown as waiting. */
export function stateOfRun(status: string): ShownRunState {
  return STATES[status] ?? 'waiting'
}

/** The displayed status of a run: a running agent or team with a reason waits for an approval. */
export function shownStatus<S extends string>({
  status,
  statusReason,
}: {
  status: S
  statusReason: string | null
}): S | 'awaiting_approval' {
  return status === 'running' && statusReason !== null ? 'awaiting_approval' : status
}

/** The object of a run's wait, for use after "Waiting for". */
export function awaited(statusReason: string): string {
  return statusReason.replace(/^waiting for /, '')
}

/** Whether a run has ended. */
export function isEnded(status: string): boolean {
  const state = stateOfRun(status)
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** How long the last calls of a canceled run are polled: a lost worker never stores them. */
const LONGEST_SETTLING_MS = 60_000

/** Whether a run's stored data may still change: it is in flight, or was canceled and its last calls are not stored yet. */
export function isChanging(
  {
    status,
    completedAt,
    agentRun,
  }: Pick<RunDetail, 'status' | 'completedAt'> & {
    agentRun: Pick<AgentRunDetail, 'isSettled'> | null
  },
  nowMs: number,
): boolean {
  if (!isEnded(status)) return true
  const isOwed = status === 'cancelled' && agentRun?.isSettled === false
  return isOwed && nowMs - (completedAt ?? 0) * 1000 < LONGEST_SETTLING_MS
}
