import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { ChildRuns, JobLane, Learner, type RunDependencies, Runner } from '@troupe/agents'
import type {
  AgentCatalog,
  ApprovalLinks,
  ChatModels,
  ClaimedJob,
  Clock,
  Guardrails,
  KnowledgeSearch,
  RerankingModels,
  RunTelemetry,
  SkillLibrary,
  Toolboxes,
  ToolContextBox,
} from '@troupe/agents/ports'
import type { NewId, RunId } from '@troupe/contract'
import { ActiveTurns, type Delivery, type RunEngine, sendDelivery, TurnWorker } from '@troupe/durable-work'
import type { Database } from '@troupe/storage'

/** The longest wait of a synchronous caller, in seconds (contract, section 8). */
const SYNC_SECONDS = 30

/** Dependencies of runs. */
export interface RunParts {
  database: Database
  approvalLinks: ApprovalLinks
  catalog: AgentCatalog
  chatModels: ChatModels
  toolboxes: Toolboxes
  guardrails: Guardrails
  toolContexts: ToolContextBox
  knowledge: KnowledgeSearch
  reranking: RerankingModels
  skills: SkillLibrary
  engine: RunEngine
  telemetry: RunTelemetry
  clock: Clock
  newId: NewId
  /** `TROUPE_RUN_MAX_SECONDS`. */
  maxSeconds: number
}

/** Runs agents and teams in this process. Disposing aborts active runs and waits for their rows. */
export interface Runs extends AsyncDisposable {
  runner: Runner
  /** Processes the engine's deliveries. */
  worker: TurnWorker<RunId, ClaimedJob>
  /** Runs agents and teams for nodes of workflows. */
  children: ChildRuns
  /** Dependencies of runs, shared with workflows. */
  deps: RunDependencies
  active: ActiveTurns<RunId>
  /** Sends a delivery, of a job or of the workflow whose node a run is, to the engine in the background. */
  send(delivery: Delivery): void
}

/** Wires the runtime's run machinery to this process. */
export function createRuns(parts: RunParts): Runs {
  const {
    database,
    approvalLinks,
    catalog,
    chatModels,
    toolboxes,
    guardrails,
    toolContexts,
    knowledge,
    reranking,
    skills,
    engine,
    telemetry,
    clock,
    newId,
    maxSeconds,
  } = parts
  const store = database.runs
  const now = () => clock.now()
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`
  const { jobs, signals } = database
  const active = new ActiveTurns({ store: jobs, signals, telemetry, workerId, cancelSignal: 'run_cancelled' })
  const learnable = {
    catalog,
    models: chatModels,
    toolboxes,
    guardrails,
    toolContexts,
    knowledge,
    memories: database.memories,
    reranking,
    skills,
    store,
    jobs,
    approvals: database.approvals,
    approvalLinks,
    engine,
    signals,
    telemetry,
    active,
    now,
    newId,
    workerId,
    maxSeconds,
    syncSeconds: SYNC_SECONDS,
  }
  const deps: RunDependencies = { ...learnable, learner: new Learner(learnable) }
  const lane = new JobLane(deps)
  return {
    runner: new Runner(deps),
    worker: new TurnWorker(lane, deps),
    children: new ChildRuns(deps, lane),
    deps,
    active,
    send(delivery) {
      const rows = delivery.lane === 'workflows' ? database.workflowRuns : jobs
      active.background(sendDelivery({ ...deps, store: rows }, delivery))
    },
    [Symbol.asyncDispose]: () => active[Symbol.asyncDispose](),
  }
}
