import type { AgentConfig, AgentId } from '@troupe/contract'
import type { RequestedOutput } from '../../ports/requested-output.ts'
import type { HistoryRun, SessionState } from '../../ports/session-state.ts'
import type { ActingAgent } from '../../run/acting-agent.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { WorkResult } from '../../run/subject.ts'
import type { FrozenTeam } from './freeze-team.ts'

/** The inputs of a coordination mode. */
export interface TeamRun {
  ctx: RunContext
  team: FrozenTeam
  /** The lead as an actor that calls models; its chain is usable. */
  lead: ActingAgent
  /** The caller's message. */
  message: string
  /** Passages of the lead's knowledge for all of its prompts; null if it has none, or searches itself. */
  knowledge: string | null
  state: SessionState | null
  /** The team's memories about the user. */
  memories?: readonly string[]
  /** The JSON that the answer must be; null for text. */
  output: RequestedOutput | null
  /** Output rules of the team; null if the whole answer is checked instead. */
  memberRules: AgentConfig['guardrails']['output'] | null
  /** The clock shown in prompts, in milliseconds since the epoch: when the run was accepted. */
  startedAt: number
  /** Milliseconds after which a member has failed; null: only its own limit applies. */
  memberTimeoutMs: number | null
  /** A member's earlier turns in this session; null unless the team lets members keep them. */
  memberHistory: ((agentId: AgentId) => Promise<HistoryRun[]>) | null
}

/** A coordination mode: writes the answer and returns the outcome. */
export type CoordinationModeWork = (run: TeamRun) => Promise<WorkResult>
