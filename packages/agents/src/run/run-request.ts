import type { AgentId, ApiKeyId, TeamId } from '@troupe/contract'
import type { RequestedOutput } from '../ports/requested-output.ts'
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
  /** `tool_context`: what tools see and models do not. Lives in the process that starts or works on the run. */
  toolContext: Readonly<Record<string, unknown>>
  /** JSON that an agent's answer must be; null for text. A team gives text. */
  output: RequestedOutput | null
  source: RunSource
  /** Milliseconds since the epoch at which the request arrived: the start of every limit and of `latencyMs`. */
  acceptedAt: number
  /** The `Idempotency-Key`, with the path that it belongs to and the hash of the body; null without one. */
  idempotency: IdempotencyClaim | null
}
