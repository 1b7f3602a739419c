import {
  type Advance,
  type Delivery,
  type EngineHealth,
  type RunEngine,
  Semaphore,
} from '@troupe/durable-work'
import { type EngineLog, SILENT_LOG } from '../delivery/engine-log.ts'
import { Admin } from './admin.ts'
import { Ingress } from './ingress.ts'
import { Registration } from './registration.ts'
import { serveWorker, type WorkerEndpoint } from './worker-endpoint.ts'

/** The address on which a worker accepts deliveries. */
export interface RestateWorkerOptions {
  host: string
  port: number
  /** The URL at which Restate reaches this worker; with several workers, their load balancer. */
  advertisedUrl: string
  /** Maximum concurrent deliveries in this process; others wait. */
  concurrency: number
}

/** The addresses of Restate and of this process. */
export interface RestateEngineOptions {
  ingressUrl: string
  /** null: the operator registers this worker, and deliveries cannot be withdrawn. */
  adminUrl: string | null
  /** null: this process only dispatches deliveries. */
  worker: RestateWorkerOptions | null
  /** Public keys (`publickeyv1_…`) of the Restate servers that may call the worker; empty: no check. */
  identityKeys?: readonly string[]
  /** Timeout of a dispatch in milliseconds; 3,000 by default. */
  sendTimeoutMs?: number
  /** Milliseconds since the epoch; the system clock by default. */
  now?: () => number
  log?: EngineLog
}

/** Delay in milliseconds of a delivery that is sent only to be withdrawn: longer than withdrawing takes. */
const WITHDRAWAL_MS = 60_000

/**
 * The engine for several processes: Restate stores the deliveries and sends each to any worker, again if that
 * one dies. A draining process still dispatches deliveries, which other workers take.
 */
export function createRestateEngine(options: RestateEngineOptions): RunEngine {
  return new RestateEngine(options)
}

class RestateEngine implements RunEngine {
  readonly #options: RestateEngineOptions
  readonly #log: EngineLog
  readonly #now: () => number
  readonly #ingress: Ingress
  readonly #admin: Admin | null
  readonly #places: Semaphore
  #endpoint: Promise<WorkerEndpoint> | null = null
  #registration: Registration | null = null
  #registered: Promise<void> | null = null
  #draining: Promise<void> | null = null

  constructor(options: RestateEngineOptions) {
    const { ingressUrl, adminUrl, worker, sendTimeoutMs = 3_000, now = Date.now, log = SILENT_LOG } = options
    this.#options = options
    this.#log = log
    this.#now = now
    const address = (url: string) => ({ url: url.replace(/\/+$/, ''), timeoutMs: sendTimeoutMs })
    this.#ingress = new Ingress(address(ingressUrl))
    this.#admin = adminUrl === null ? null : new Admin(address(adminUrl))
    this.#places = new Semaphore(worker?.concurrency ?? 0)
  }

  async start(advance: Advance): Promise<void> {
    const { worker, identityKeys = [] } = this.#options
    if (!worker) throw new Error('A process without a worker address cannot receive deliveries.')
    if (this.#endpoint) throw new Error('The engine was started before.')
    const { host, port, advertisedUrl } = worker
    const parts = { host, port, identityKeys, advance, places: this.#places, log: this.#log }
    this.#endpoint = serveWorker(parts)
    await this.#endpoint
    if (!this.#admin) return
    this.#registration = new Registration(this.#admin, advertisedUrl, this.#log)
    this.#registered = this.#registration.keep()
  }

  async dispatch(delivery: Delivery, { dueAt = 0 }: { dueAt?: number } = {}): Promise<void> {
    await this.#ingress.send(delivery, Math.max(0, Math.ceil(dueAt - this.#now())))
  }

  /**
   * A repeated send returns the id of the existing invocation, whichever process sent it first; a search by
   * key would read every invocation of the last day. If there is none, the send creates one, which is
   * withdrawn too.
   */
  async drop(delivery: Delivery): Promise<void> {
    if (!this.#admin) return
    try {
      await this.#admin.cancel(await this.#ingress.send(delivery, WITHDRAWAL_MS))
    } catch {
      // Best effort: the rows are authoritative, and a delivery of an ended run does nothing.
    }
  }

  async health(): Promise<EngineHealth> {
    if (this.#draining) return { healthy: false, reason: 'This process is stopping.' }
    const asked = await Promise.all([
      this.#ingress.health(),
      this.#admin?.health(),
      this.#registration?.health(),
    ])
    return asked.find((one) => one?.healthy === false) ?? { healthy: true }
  }

  drain(): Promise<void> {
    this.#draining ??= this.#drain()
    return this.#draining
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain()
  }

  async #drain(): Promise<void> {
    this.#registration?.stop()
    const endpoint = await this.#endpoint?.catch(() => null)
    endpoint?.refuse()
    await this.#places.close()
    await Promise.all([endpoint?.close(), this.#registered])
  }
}
