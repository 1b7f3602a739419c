import type { AgentId, ApiKeyId } from '@troupe/contract'
import type { RunSource } from '../ports/run-store.ts'
import type { Scope } from '../ports/scope.ts'

/** A checked request to run an agent. */
export interface AgentRunRequest {
  scope: Scope
  apiKeyId: ApiKeyId
  agentId: AgentId
  message: string
  sessionId: string | null
  userId: string | null
  includeMessages: boolean
  tag: string | null
  source: RunSource
  /** Milliseconds since the epoch at which the request arrived: the start of every limit and of `latencyMs`. */
  acceptedAt: number
  /** The `Idempotency-Key`, with the path that it belongs to and the hash of the body; null without one. */
  idempotency: { path: string; key: string; bodyHash: string } | null
}
