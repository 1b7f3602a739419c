import type { AgentId, AgentVersionId, ApiKeyId, TeamId, TeamVersionId, UserId } from '@troupe/contract'
import type { RequestedOutput } from '../ports/requested-output.ts'
import type { IdempotencyClaim, RunnableKind, RunSource } from '../ports/run-store.ts'
import type { Scope } from '../ports/scope.ts'
import type { VoiceChannel } from '../voice/voice-channel.ts'

/** An earlier exchange of a conversation that the caller keeps itself. */
export interface GivenExchange {
  user: string
  assistant: string
}

/** A checked request to run an agent or a team. */
export interface RunRequest {
  scope: Scope
  /** null: not started with an API key. */
  apiKeyId: ApiKeyId | null
  /** The user who starts it in the builder; absent or null: a caller without an account, such as an API key. */
  startedByUserId?: UserId | null
  kind: RunnableKind
  entityId: AgentId | TeamId
  /** A stored version of the agent or the team to run instead of the current one. */
  versionId?: AgentVersionId | TeamVersionId
  message: string
  sessionId: string | null
  userId: string | null
  /**
   * The conversation so far, oldest first, if the caller keeps it: the run then starts its own session. Absent: the
   * session's stored runs. Never for a job, whose row has no column for it.
   */
  history?: readonly GivenExchange[]
  includeMessages: boolean
  tag: string | null
  /**
   * `tool_context`: visible to tools but not to models. Kept in memory, and encrypted in the row of a job until it ends.
   */
  toolContext: Readonly<Record<string, unknown>>
  /** JSON required of an agent's answer; null for text. A team answers in text. */
  output: RequestedOutput | null
  source: RunSource
  /** For a step of a workflow's test: in the sessions of the playground, and without memories of a user. Absent: false. */
  isTest?: boolean
  /** Whether calls with effects are denied, as in a test; absent: false. */
  deniesEffects?: boolean
  /** Only and always with source `voice`. */
  voice?: VoiceChannel
  /**
   * Milliseconds since the epoch at which the request arrived: the start of every limit and of `latencyMs`.
   */
  acceptedAt: number
  /** The `Idempotency-Key`, with its path and the hash of the body; null if absent. */
  idempotency: IdempotencyClaim | null
}
