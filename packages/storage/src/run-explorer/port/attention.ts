import type { ObservedKind } from './run-list.ts'

// Every timestamp in this file is in milliseconds since the epoch.

/** What needs a person in an organization. */
export interface Attention {
  /** What failed within 24 hours, by entity and cause, the most frequent first; the newest 2,000 of each kind are grouped. */
  failures: readonly {
    kind: ObservedKind
    entityId: string
    entityName: string | null
    code: string | null
    /** The first line of the error without numbers and ids. */
    cause: string
    count: number
    lastRunId: string
    /** The first line of the error of the last one, with its numbers; null: it has no message. */
    lastError: string | null
    lastAt: number
    /** When the first started of them was created, which may be long before it failed. */
    since: number
  }[]
  /** Planned times of 24 hours at which no run started, by schedule and outcome. */
  schedules: readonly {
    workflowId: string
    workflowName: string
    nodeId: string
    outcome: 'missed' | 'skipped'
    count: number
    reason: string | null
    lastAt: number
  }[]
  /** Keys that end within 14 days and have no successor. */
  expiringKeys: readonly { apiKeyId: string; name: string; expiresAt: number }[]
  /** LLM configurations with at least three failed calls in the last hour that are half of its calls or more. */
  failingModels: readonly {
    llmConfigId: string
    name: string
    calls: number
    failed: number
    lastError: string | null
  }[]
  /** What a new organization has done already. */
  steps: { llmConfiguration: boolean; agent: boolean; apiKey: boolean; run: boolean; colleague: boolean }
  /** The newest active agent; null: there is none. */
  agentToTalkTo: string | null
  /** Runs of every kind that have not ended; of nodes of workflows only their workflow's. */
  inFlight: number
}
