import type { ModelAttempt, RunnableKind, RunSource, RunStatus } from '@troupe/agents/ports'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { folderSize } from './folder-size.ts'

const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const MODEL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300]

/** The load of one kind of heavy work. */
export interface HeavyWorkLoad {
  kind: string
  running: number
  waiting: number
  /** Since the start of the process. */
  refused: number
  memoryBytes: number
}

/** The metrics of the process. Labels have few values: never an id of a tenant. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new Histogram({
    name: 'troupe_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_BUCKETS,
    registers: [this.registry],
  })
  readonly #runs = new Histogram({
    name: 'troupe_run_duration_seconds',
    help: 'Time from the acceptance of a run to its end.',
    labelNames: ['kind', 'source', 'status'] as const,
    buckets: MODEL_BUCKETS,
    registers: [this.registry],
  })
  readonly #attempts = new Histogram({
    name: 'troupe_model_attempt_duration_seconds',
    help: 'Time of one attempt at one model provider.',
    labelNames: ['purpose', 'outcome', 'fallback'] as const,
    buckets: MODEL_BUCKETS,
    registers: [this.registry],
  })
  readonly #tokens = new Counter({
    name: 'troupe_model_tokens_total',
    help: 'Tokens as the model providers reported them.',
    labelNames: ['purpose', 'direction'] as const,
    registers: [this.registry],
  })

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status }, seconds)
  }

  observeRun(kind: RunnableKind, source: RunSource, status: RunStatus, seconds: number): void {
    this.#runs.observe({ kind, source, status }, seconds)
  }

  observeModelAttempt(purpose: string, attempt: ModelAttempt): void {
    const outcome = attempt.ok ? 'ok' : (attempt.errorCode ?? 'failed')
    const fallback = String(attempt.isFallback)
    this.#attempts.observe({ purpose, outcome, fallback }, attempt.latencyMs / 1000)
    this.#tokens.inc({ purpose, direction: 'input' }, attempt.inputTokens)
    this.#tokens.inc({ purpose, direction: 'output' }, attempt.outputTokens)
  }

  /** Adds the size of the embedded database, read at every scrape. */
  watchDatabase(directory: string): void {
    new Gauge({
      name: 'troupe_database_size_bytes',
      help: 'Bytes of the embedded database on the disk, its log included.',
      registers: [this.registry],
      async collect() {
        this.set(await folderSize(directory))
      },
    })
  }

  /** Adds the load of the scheduler of heavy work, read at every scrape. */
  watchHeavyWork(load: () => readonly HeavyWorkLoad[]): void {
    const gauges: { name: string; help: string; of: (load: HeavyWorkLoad) => number }[] = [
      { name: 'running', help: 'Heavy work in progress.', of: ({ running }) => running },
      {
        name: 'waiting',
        help: 'Heavy work that waits.',
        of: ({ waiting }) => waiting,
      },
      {
        name: 'memory_bytes',
        help: 'Worst-case memory of the heavy work in progress.',
        of: ({ memoryBytes }) => memoryBytes,
      },
    ]
    for (const { name, help, of } of gauges) {
      new Gauge({
        name: `troupe_heavy_work_${name}`,
        help,
        labelNames: ['kind'] as const,
        registers: [this.registry],
        collect() {
          for (const one of load()) this.set({ kind: one.kind }, of(one))
        },
      })
    }
    new Counter({
      name: 'troupe_heavy_work_refused_total',
      help: 'Heavy work that was refused with 503, because too much was waiting or it waited too long.',
      labelNames: ['kind'] as const,
      registers: [this.registry],
      collect() {
        this.reset()
        for (const { kind, refused } of load()) this.inc({ kind }, refused)
      },
    })
  }

  /** Adds metrics of memory, CPU, event loop and garbage collection, for the life of the process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry })
  }
}
