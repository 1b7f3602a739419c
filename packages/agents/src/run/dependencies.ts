import type { NewId, RunId } from '@troupe/contract'
import type { ActiveTurns, RunEngine, Signals } from '@troupe/durable-work'
import type { AgentCatalog } from '../ports/agent-catalog.ts'
import type { ApprovalLinks, ApprovalStore } from '../ports/approvals.ts'
import type { ChatModels } from '../ports/chat-models.ts'
import type { Guardrails } from '../ports/guardrails.ts'
import type { JobStore } from '../ports/job-store.ts'
import type { KnowledgeSearch } from '../ports/knowledge.ts'
import type { RerankingModels } from '../ports/reranking-models.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { RunTelemetry } from '../ports/run-telemetry.ts'
import type { SkillLibrary } from '../ports/skills.ts'
import type { ToolContextBox } from '../ports/tool-context-box.ts'
import type { Toolboxes } from '../ports/toolbox.ts'
import type { UserMemories } from '../ports/user-memories.ts'

/** The stored runs, jobs, approvals and configurations. */
export interface RunRows {
  catalog: AgentCatalog
  store: RunStore
  jobs: JobStore
  approvals: Pick<ApprovalStore, 'open' | 'verdict'>
}

/** The services that runs use. */
export interface RunProviders {
  models: ChatModels
  toolboxes: Toolboxes
  guardrails: Guardrails
  knowledge: KnowledgeSearch
  reranking: RerankingModels
  skills: SkillLibrary
  memories: UserMemories
  toolContexts: ToolContextBox
  approvalLinks: ApprovalLinks
}

/** The turns of this process, and its signals to others. */
export interface RunTurns {
  engine: RunEngine
  signals: Signals
  telemetry: RunTelemetry
  active: ActiveTurns<RunId>
  /** Starts learning from ended runs, in the background. */
  learner: { hurry(): void }
  /** Milliseconds since the epoch. */
  now: () => number
  newId: NewId
  /** This process's id in the rows of its runs. */
  workerId: string
}

/** The time limits of runs. */
export interface RunLimits {
  /** `TROUPE_RUN_MAX_SECONDS`: the upper limit of every run's working time. */
  maxSeconds: number
  /** How long a synchronous caller waits, in seconds (30 by the contract). */
  syncSeconds: number
}

/** The dependencies of running agents and teams; wired once by the composition root. */
export interface RunDependencies extends RunRows, RunProviders, RunTurns, RunLimits {}
