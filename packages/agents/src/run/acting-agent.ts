import type { AgentId, RunId } from '@troupe/contract'
import type { ResolvedChain } from '../chain/resolve-chain.ts'
import type { ContentSource } from './run-context.ts'

/** What model calls cost so far. */
export interface Spent {
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
}

/** Who calls models within a run: the agent of an agent run, the lead of a team, or one of its members. */
export interface ActingAgent {
  role: ContentSource['role']
  /** null for a managed lead. */
  agentId: AgentId | null
  name: string
  /** The member's own run; for everybody else the root run. */
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

/** Adds what an earlier slice of a job has spent already. */
export function addSpent(to: Spent, more: Spent): void {
  to.inputTokens += more.inputTokens
  to.outputTokens += more.outputTokens
  to.failoverUsed ||= more.failoverUsed
}
