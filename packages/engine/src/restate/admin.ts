import type { EngineHealth } from '@troupe/durable-work'
import { describeFailure, type RestateAddress, request, UnexpectedStatus } from './http.ts'
import { SERVICES } from './services.ts'

/** Milliseconds. Restate queries the worker's services before it responds. */
const REGISTRATION_TIMEOUT_MS = 15_000

/** The admin API of a Restate server. */
export class Admin {
  readonly #address: RestateAddress

  constructor(address: RestateAddress) {
    this.#address = address
  }

  /**
   * Makes this worker the target of all new deliveries. An existing registration of the same URL is replaced,
   * because a new version may offer other services.
   */
  async register(workerUrl: string): Promise<void> {
    const patient = { ...this.#address, timeoutMs: REGISTRATION_TIMEOUT_MS }
    await request(patient, 'POST /deployments', { uri: workerUrl, force: true })
  }

  /** Whether any worker is registered; false on a server that lost its data. */
  async knowsWorker(): Promise<boolean> {
    try {
      for (const service of Object.values(SERVICES)) await request(this.#address, `GET /services/${service}`)
      return true
    } catch (error) {
      if (error instanceof UnexpectedStatus && error.status === 404) return false
      throw error
    }
  }

  /** Withdraws a waiting invocation; one that has already ended is ignored. */
  async cancel(invocationId: string): Promise<void> {
    await request(this.#address, `PATCH /invocations/${invocationId}/cancel`)
  }

  async health(): Promise<EngineHealth> {
    try {
      await request(this.#address, 'GET /health')
      return { healthy: true }
    } catch (error) {
      return { healthy: false, reason: this.sentence(error) }
    }
  }

  sentence(error: unknown): string {
    return `The engine's admin interface at ${this.#address.url} ${describeFailure(error)}.`
  }
}
