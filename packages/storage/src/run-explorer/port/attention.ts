import type { AgentId, AnyRunId, AnyRunnableId, ApiKeyId, LlmConfigId, WorkflowId } from '@troupe/contract'
import type { ObservedKind } from './run-list.ts'

// Every timestamp in this file is in milliseconds since the epoch.

/** Items of an organization that need a person. */
export interface Attention {
  /** Failures of the last 24 hours, by entity and cause, the most frequent first; the newest 2,000 of each kind are grouped. */
  failures: readonly {
    kind: ObservedKind
    entityId: AnyRunnableId
    entityName: string | null
    code: string | null
    /** The first line of the error without numbers and ids. */
    cause: string
    count: number
    lastRunId: AnyRunId
    /** The first line of the newest error, with its numbers; null if it has no message. */
    lastError: string | null
    lastAt: number
    /** The creation time of the earliest started one, possibly long before it failed. */
    since: number
  }[]
  /** Planned times of the last 24 hours without a run, by schedule and outcome. */
  schedules: readonly {
    workflowId: WorkflowId
    workflowName: string
    nodeId: string
    outcome: 'missed' | 'skipped'
    count: number
    reason: string | null
    lastAt: number
  }[]
  /** Keys that end within 14 days and have no successor. */
  expiringKeys: readonly { apiKeyId: ApiKeyId; name: string; expiresAt: number }[]
  /** LLM configurations whose failed calls of the last hour are at least three, and at least half of their calls. */
  failingModels: readonly {
    llmConfigId: LlmConfigId
    name: string
    calls: number
    failed: number
    lastError: string | null
  }[]
  /** The completed first steps of a new organization. */
  steps: { llmConfiguration: boolean; agent: boolean; apiKey: boolean; run: boolean; colleague: boolean }
  /** The newest active agent; null if there is none. */
  agentToTalkTo: AgentId | null
  /** Runs of every kind that have not ended; nodes of workflows count only as their workflow's run. */
  inFlight: number
}
