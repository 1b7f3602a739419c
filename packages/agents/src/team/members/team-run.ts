import type { AgentId } from '@troupe/contract'
import type { HistoryRun, SessionState } from '../../ports/run-store.ts'
import type { ActingAgent } from '../../run/acting-agent.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { WorkResult } from '../../run/subject.ts'
import type { FrozenTeam } from './freeze-team.ts'

/** Everything that a coordination mode works with. */
export interface TeamRun {
  ctx: RunContext
  team: FrozenTeam
  /** The lead as the caller of models; it has a usable chain. */
  lead: ActingAgent
  /** The caller's message. */
  message: string
  state: SessionState | null
  /** The clock that prompts show, in milliseconds since the epoch: when the run was accepted. */
  startedAt: number
  /** What a member did before in this session; empty unless the team says that members keep it. */
  memberHistory(agentId: AgentId): Promise<HistoryRun[]>
}

/** A coordination mode: writes the answer and says what it came to. */
export type CoordinationModeWork = (run: TeamRun) => Promise<WorkResult>
