import type { AnyId, RunId } from '@troupe/contract'
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

/** The dependencies of running agents and teams; wired once by the composition root. */
export interface RunDependencies {
  catalog: AgentCatalog
  models: ChatModels
  toolboxes: Toolboxes
  guardrails: Guardrails
  toolContexts: ToolContextBox
  knowledge: KnowledgeSearch
  memories: UserMemories
  /** Starts learning from ended runs, in the background. */
  learner: { hurry(): void }
  reranking: RerankingModels
  skills: SkillLibrary
  store: RunStore
  jobs: JobStore
  approvals: Pick<ApprovalStore, 'open' | 'verdict'>
  approvalLinks: ApprovalLinks
  engine: RunEngine
  signals: Signals
  telemetry: RunTelemetry
  active: ActiveTurns<RunId>
  /** Milliseconds since the epoch. */
  now: () => number
  newId: () => AnyId
  /** This process's id in the rows of its runs. */
  workerId: string
  /** `TROUPE_RUN_MAX_SECONDS`: the upper limit of every run's working time. */
  maxSeconds: number
  /** How long a synchronous caller waits, in seconds (30 by the contract). */
  syncSeconds: number
}
