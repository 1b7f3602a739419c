import { NO_TELEMETRY } from '@troupe/agents/testing/no-telemetry'
import { newId, type WorkflowRunId } from '@troupe/contract'
import { type ActiveTurns, type Delivery, TurnWorker } from '@troupe/durable-work'
import type { CompiledGraph } from '@troupe/graph'
import { NODE_HANDLERS } from '@troupe/nodes/handlers'
import type { Database } from '@troupe/storage'
import { LoopShares, type WorkflowDependencies, WorkflowLane, WorkflowRunner } from '@troupe/workflows'
import type {
  ClaimedWorkflowRun,
  NodeServices,
  WorkflowCommit,
  WorkflowRunStore,
} from '@troupe/workflows/ports'

/** When a process dies: at its n-th commit (counted from 1), either before or after it is written. */
export interface Death {
  commit: number
  when: 'before' | 'after'
}

/** The parts of a process. */
export interface WorkerOptions {
  database: Database
  graph: CompiledGraph
  /** The answers of models and agents, by the place of the graph that calls them. */
  answer: (asked: { place: string; text: string; classes: readonly string[] | null }) => Promise<string>
  parallelNodes?: number
  death?: Death | null
  /** Milliseconds since the epoch; the real clock unless given. */
  now?: () => number
  /** Called before any write. */
  onCommit?: (rows: WorkflowCommit) => void
}

/** The graphs of these tests make no calls. */
const NO_REVIEWS: WorkflowDependencies['reviews'] = {
  mint() {
    throw new Error('a review was opened')
  },
  answers: async () => [],
  opened() {},
}

/** The waits of a dead process never end. */
const never = () => new Promise<never>(() => {})
let processes = 0

/** A process that works on runs of one graph, with a real store and real nodes, until it dies. */
export class MortalWorker {
  readonly runner: WorkflowRunner
  /** Every call to models and agents, by place: `l[0]/b`. */
  readonly calls: string[] = []
  readonly deliveries: Delivery[] = []
  readonly died: Promise<void>
  commits = 0
  readonly #worker: TurnWorker<WorkflowRunId, ClaimedWorkflowRun>
  readonly #die: () => void
  readonly #options: WorkerOptions
  #isDead = false

  constructor(options: WorkerOptions) {
    this.#options = options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.died = promise
    this.#die = () => {
      this.#isDead = true
      resolve()
    }
    const deps = this.#dependencies()
    const lane = new WorkflowLane(deps)
    const worker = new TurnWorker(lane, deps)
    this.#worker = worker
    this.runner = new WorkflowRunner(deps, worker, lane.ends)
  }

  /** Works on deliveries until none is left or the process has died. */
  async work(): Promise<void> {
    for (let next = this.deliveries.shift(); next; next = this.deliveries.shift()) {
      await Promise.race([this.#worker.advance(next), this.died])
      // A run that makes room is submitted behind the turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Takes over the runs of earlier processes, as at the boot of a process that is alone on its database. */
  async takeOver(): Promise<void> {
    const { workflowRuns } = this.#options.database
    await workflowRuns.recover()
    const patience = { dispatchSeconds: 3_600, queueSeconds: 3_600, redeliverSeconds: 3_600 }
    this.deliveries.push(...(await workflowRuns.sweep(patience)))
    await this.work()
  }

  #store(): WorkflowRunStore {
    const { database, death, onCommit } = this.#options
    const commit: WorkflowRunStore['commit'] = async (rows) => {
      if (this.#isDead) return never()
      this.commits += 1
      onCommit?.(rows)
      const isLast = this.commits === death?.commit
      if (isLast && death.when === 'before') {
        this.#die()
        return never()
      }
      const outcome = await database.workflowRuns.commit(rows)
      if (!isLast) return outcome
      this.#die()
      return never()
    }
    return { ...database.workflowRuns, commit }
  }

  #services(place: string): NodeServices {
    const ask = async (text: string, classes: readonly string[] | null) => {
      if (this.#isDead) return never()
      this.calls.push(place)
      const answer = await this.#options.answer({ place, text, classes })
      return this.#isDead ? never() : answer
    }
    return {
      async runChild({ message }) {
        const content = await ask(message, null)
        const runId = '00000000-0000-4000-8000-000000000000' as never
        return { ok: true, content, success: true, runId, inputTokens: 1, outputTokens: 1 }
      },
      async callModel({ prompt, schema }) {
        const { categoryId } = (schema?.schema.properties ?? {}) as { categoryId?: { enum: string[] } }
        const answer = await ask(prompt, categoryId?.enum ?? null)
        const text = categoryId ? JSON.stringify({ categoryId: answer, reason: 'so' }) : answer
        return { text, inputTokens: 1, outputTokens: 1 }
      },
    }
  }

  #dependencies(): WorkflowDependencies {
    processes += 1
    const active = { draining: false, add() {}, background() {} }
    return {
      store: this.#store(),
      engine: {
        dispatch: async (delivery: Delivery) => void this.deliveries.push(delivery),
      } as unknown as WorkflowDependencies['engine'],
      signals: { publish: async () => {}, subscribe: () => () => {}, [Symbol.asyncDispose]: async () => {} },
      telemetry: NO_TELEMETRY,
      active: active as unknown as ActiveTurns<WorkflowRunId>,
      handlers: NODE_HANDLERS,
      reviews: NO_REVIEWS,
      approvals: { decided: async () => new Set() },
      graph: async () => this.#options.graph,
      services: (_run, { path, nodeId }) => this.#services(path === '' ? nodeId : `${path}/${nodeId}`),
      now: this.#options.now ?? Date.now,
      newId: newId,
      workerId: `mortal-${processes}`,
      loopCeiling: 100,
      shares: new LoopShares(),
      parallelNodes: this.#options.parallelNodes ?? 3,
      syncSeconds: 30,
      executesInline: false,
    }
  }
}
