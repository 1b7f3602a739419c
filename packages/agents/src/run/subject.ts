import type {
  AgentConfig,
  AgentId,
  AgentVersionId,
  OrganizationId,
  ProjectId,
  RunId,
  RunPlan,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { ResolvedChain } from '../chain/resolve-chain.ts'
import type { RunnableKind, SessionKey } from '../ports/run-store.ts'
import type { SessionState } from '../ports/session-state.ts'
import type { EventPayload, OmitEach } from '../stream/run-events.ts'
import type { RunContext } from './run-context.ts'
import type { RunRequest } from './run-request.ts'
import type { Author } from './transcript.ts'

/** The outcome of a run's work. The text is the context's answer. */
export interface WorkResult {
  /** False for a refusal, and for a goal that was not reached. */
  success: boolean
  /** The author of the answer. */
  author: Author
  /** Only in plan-execute. */
  plan: RunPlan | null
}

/** The agent or team that runs, frozen in one of its versions. */
export interface RunSubject {
  kind: RunnableKind
  entityId: AgentId | TeamId
  entityVersionId: AgentVersionId | TeamVersionId
  name: string
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** The versions of a team's agents, for jobs; null for an agent. */
  pins: Readonly<Record<AgentId, AgentVersionId>> | null
  /** False erases the texts of a run at its end. */
  storeMessages: boolean
  /** The configured working time, in seconds. */
  maxSeconds: number
  memory: AgentConfig['memory']
  /** The budget of one run, members included. */
  budget: AgentConfig['execution']['budget']
  /** The chain of the answer, which also summarises the session; null if a team's lead has no usable one. */
  resolved: ResolvedChain | null
  /** Every chain that the run may call. */
  chains: readonly ResolvedChain[]
  /** The author of a text that was cut off. */
  author: Author
  /** The content of `RunStarted` besides the session. */
  started: OmitEach<EventPayload<'RunStarted'>, 'sessionId' | 'userId'>
  /** Does the work. Throws RunFailure, ChatModelError, the signal's reason or SliceEnded. */
  work(ctx: RunContext, run: PreparedRun): Promise<WorkResult>
}

/** A run ready to start, with a frozen copy of its inputs. */
export interface PreparedRun {
  runId: RunId
  request: RunRequest
  subject: RunSubject
  session: SessionKey
  /** The session's state; null for a new one. */
  state: SessionState | null
  userId: string
  /** Whether a budget of the organization or the project applies: it is checked before the first model call. */
  isBudgeted: boolean
}
