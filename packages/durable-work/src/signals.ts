import type { OrganizationId, RunId, WorkflowRunId } from '@troupe/contract'
/**
 * Notifications between the processes of one deployment. A lost notification costs latency, never
 * correctness.
 */
export type Signal =
  | { kind: 'run_cancelled'; runId: RunId }
  | { kind: 'run_events'; runId: RunId }
  | { kind: 'workflow_run_cancelled'; runId: WorkflowRunId }
  | { kind: 'workflow_run_ended'; runId: WorkflowRunId }
  /** A review of a run that a worker holds was decided, or its deadline has passed. */
  | { kind: 'review_decided'; runId: WorkflowRunId }
  /** An approval of a run was decided: a stream may wait for it. */
  | { kind: 'approval_resolved'; runId: RunId }
  | { kind: 'config_changed'; organizationId: OrganizationId }
  /** A part of a draft was saved, which no run sees. */
  | { kind: 'draft_changed'; organizationId: OrganizationId }
  | { kind: 'api_key_changed'; secretHash: string }

/** Port: broadcast to every process, this one included. */
export interface Signals extends AsyncDisposable {
  publish(signal: Signal): Promise<void>
  /** The returned function ends the subscription. Listeners must not throw. */
  subscribe(listener: (signal: Signal) => void): () => void
}
