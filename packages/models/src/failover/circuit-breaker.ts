import type { Clock, FailoverClass, ProviderConnection } from '@troupe/agents/ports'
import { LRUCache } from 'lru-cache'

const FAILURES = 5
const WINDOW_MS = 30_000
const OPEN_MS = 30_000
const MAX_CIRCUITS = 5_000
/** Longer than any period of a circuit. */
const KEPT_MS = 10 * 60_000

interface Circuit {
  version: number
  /** Monotonic times of the last failures, oldest first. */
  failures: number[]
  lastClass: FailoverClass
  /** Monotonic time until which it is skipped; null while closed. */
  openUntil: number | null
  /** Monotonic time at which the current probe expires; null without a probe. */
  probeUntil: number | null
}

/**
 * One circuit per LLM configuration, for this process. Invariants: a circuit exists only while there are failures; a
 * success closes it and clears them, so that a busy provider with rare failures is never skipped; after the pause
 * exactly one attempt (the probe) passes until it ends or a second pause has elapsed, because a stream that is never
 * read to its end must not block its configuration forever.
 */
export class CircuitBreaker {
  readonly #clock: Clock
  readonly #circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS, ttl: KEPT_MS })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The class of the last failure if the configuration must be skipped now; null if it may be called. */
  skips(connection: ProviderConnection): FailoverClass | null {
    const circuit = this.#find(connection)
    if (circuit === undefined || circuit.openUntil === null) return null
    return this.#mayProbe(circuit) ? null : circuit.lastClass
  }

  /** Claims the probe: true if the starting attempt is it. One of the three end methods must follow. */
  enter(connection: ProviderConnection): boolean {
    const circuit = this.#find(connection)
    if (circuit === undefined || !this.#mayProbe(circuit)) return false
    circuit.probeUntil = this.#clock.monotonic() + OPEN_MS
    return true
  }

  succeeded(connection: ProviderConnection): void {
    this.#circuits.delete(connection.llmConfigId)
  }

  /** The attempt says nothing about the configuration: it was aborted, or refused through the caller's fault. */
  undecided(connection: ProviderConnection, wasProbe: boolean): void {
    const circuit = this.#find(connection)
    if (circuit && wasProbe) circuit.probeUntil = null
  }

  failed(connection: ProviderConnection, failoverClass: FailoverClass, wasProbe: boolean): void {
    const now = this.#clock.monotonic()
    const circuit = this.#find(connection) ?? this.#create(connection)
    circuit.lastClass = failoverClass
    if (wasProbe) {
      circuit.probeUntil = null
      circuit.openUntil = now + OPEN_MS
      return
    }
    if (circuit.openUntil !== null) return
    circuit.failures = circuit.failures.filter((at) => at > now - WINDOW_MS)
    circuit.failures.push(now)
    if (circuit.failures.length >= FAILURES) circuit.openUntil = now + OPEN_MS
  }

  #mayProbe(circuit: Circuit): boolean {
    const now = this.#clock.monotonic()
    return circuit.openUntil !== null && now >= circuit.openUntil && now >= (circuit.probeUntil ?? 0)
  }

  /** An edited configuration starts with a closed circuit. */
  #find(connection: ProviderConnection): Circuit | undefined {
    const circuit = this.#circuits.get(connection.llmConfigId)
    return circuit?.version === connection.version ? circuit : undefined
  }

  #create(connection: ProviderConnection): Circuit {
    const circuit: Circuit = {
      version: connection.version,
      failures: [],
      lastClass: 'error',
      openUntil: null,
      probeUntil: null,
    }
    this.#circuits.set(connection.llmConfigId, circuit)
    return circuit
  }
}
