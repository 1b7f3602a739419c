import type { AgentId, AnyRunId, ModelPurpose, OrganizationId, RunId, TeamId } from '@troupe/contract'
import type { TurnTelemetry } from '@troupe/durable-work'
import type { ModelAttempt } from './chat-models.ts'
import type { RunnableKind, RunSource, RunStatus } from './run-store.ts'

/** The properties of a run that logs, metrics and traces may contain: never its content. */
export interface ObservedRun {
  runId: RunId
  organizationId: OrganizationId
  kind: RunnableKind
  entityId: AgentId | TeamId
  /** The agent's or the team's. */
  name: string
  sessionId: string
  source: RunSource
  tag: string | null
  /** Milliseconds since the epoch. */
  acceptedAt: number
}

/** Port: counters, traces and log lines about runs. Implementations must not throw. */
export interface RunTelemetry extends TurnTelemetry {
  runStarted(run: ObservedRun): void
  runEnded(
    run: ObservedRun,
    end: {
      status: RunStatus
      errorCode: string | null
      /** For the log only; may repeat a provider's message. */
      internal: string | null
      /** Whether an internal defect ended the run: `internal` is then its stack. */
      defect: boolean
      /** Milliseconds since the epoch. */
      completedAt: number
      inputTokens: number
      outputTokens: number
    },
  ): void
  /** A job continues in another turn, in any process: this process has finished its part for now. */
  turnEnded(run: ObservedRun): void
  /** Called as soon as an attempt has ended. */
  modelAttempt(runId: AnyRunId, attempt: ModelAttempt, purpose: ModelPurpose): void
}
