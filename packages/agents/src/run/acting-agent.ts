import type { AgentId, RunId } from '@troupe/contract'
import type { ResolvedChain } from '../chain/resolve-chain.ts'
import type { ContentSource } from './content-source.ts'

/** The cost of model calls so far. */
export interface Spent {
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  /** Millionths of a US dollar; absent in the journals of older servers. */
  costMicros?: number
}

/**
 * The actor that calls models within a run: the agent of an agent run, the lead of a team, or one of its
 * members.
 */
export interface ActingAgent {
  role: ContentSource['role']
  /** null for a managed lead. */
  agentId: AgentId | null
  name: string
  /** The member's own run; the root run for every other actor. */
  runId: RunId
  isMember: boolean
  resolved: ResolvedChain
  exposeReasoning: boolean
  spent: Spent
}

/** The `source` of an actor's events. */
export function sourceOf({ role, agentId, name, runId }: ActingAgent): ContentSource {
  return { role, agentId, agentName: name, runId }
}

/** Adds the spending of earlier slices of a job. */
export function addSpent(to: Spent, more: Spent): void {
  to.inputTokens += more.inputTokens
  to.outputTokens += more.outputTokens
  to.failoverUsed ||= more.failoverUsed
  to.costMicros = (to.costMicros ?? 0) + (more.costMicros ?? 0)
}
