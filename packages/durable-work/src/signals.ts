/**
 * Notifications between the processes of one deployment. A lost notification costs latency, never
 * correctness.
 */
export type Signal =
  | { kind: 'run_cancelled'; runId: string }
  | { kind: 'run_events'; runId: string }
  | { kind: 'workflow_run_cancelled'; runId: string }
  | { kind: 'workflow_run_ended'; runId: string }
  /** A review of a run that a worker holds was decided, or its deadline has passed. */
  | { kind: 'review_decided'; runId: string }
  /** An approval of a run was decided: a stream may wait for it. */
  | { kind: 'approval_resolved'; runId: string }
  | { kind: 'config_changed'; organizationId: string }
  /** A part of a draft was saved, which no run sees. */
  | { kind: 'draft_changed'; organizationId: string }
  | { kind: 'api_key_changed'; secretHash: string }

/** Port: broadcast to every process, this one included. */
export interface Signals extends AsyncDisposable {
  publish(signal: Signal): Promise<void>
  /** The returned function ends the subscription. Listeners must not throw. */
  subscribe(listener: (signal: Signal) => void): () => void
}
