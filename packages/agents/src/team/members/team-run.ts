import type { AgentId } from '@troupe/contract'
import type { HistoryRun, SessionState } from '../../ports/run-store.ts'
import type { Actor } from '../../run/actor.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { WorkResult } from '../../run/subject.ts'
import type { Team } from './team.ts'

/** Everything that a coordination mode works with. */
export interface TeamRun {
  ctx: RunContext
  team: Team
  /** The lead as the caller of models; it has a usable chain. */
  lead: Actor
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
