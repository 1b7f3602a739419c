import type { AgentId, ApiKeyId, TeamId } from '@troupe/contract'
import type { IdempotencyClaim, RunKind, RunSource } from '../ports/run-store.ts'
import type { Scope } from '../ports/scope.ts'

/** A checked request to run an agent or a team. */
export interface RunRequest {
  scope: Scope
  /** null: no API key started it. */
  apiKeyId: ApiKeyId | null
  kind: RunKind
  entityId: AgentId | TeamId
  message: string
  sessionId: string | null
  userId: string | null
  includeMessages: boolean
  tag: string | null
  source: RunSource
  /** Milliseconds since the epoch at which the request arrived: the start of every limit and of `latencyMs`. */
  acceptedAt: number
  /** The `Idempotency-Key`, with the path that it belongs to and the hash of the body; null without one. */
  idempotency: IdempotencyClaim | null
}
