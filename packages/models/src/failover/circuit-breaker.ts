import type { Clock, FailoverClass, ProviderConnection } from '@troupe/agents/ports'

const FAILURES = 5
const WINDOW_MS = 30_000
const OPEN_MS = 30_000

interface Circuit {
  version: number
  /** Monotonic times of the last failures, oldest first. */
  failures: number[]
  lastClass: FailoverClass
  /** Monotonic time until which it is skipped; null while closed. */
  openUntil: number | null
  /** Monotonic time until which a probe is under way; null while none is. */
  probeUntil: number | null
}

/**
 * One circuit per LLM configuration, for this process. Invariants: a circuit exists only while there are failures; a
 * success closes it and forgets them, so that a busy provider with rare failures is never skipped; when the pause is
 * over exactly one attempt (the probe) goes through until it has ended, or until as long again has passed (a stream that
 * nobody reads to its end must not keep its configuration out for ever).
 */
export class CircuitBreaker {
  readonly #clock: Clock
  readonly #circuits = new Map<string, Circuit>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The class of the last failure when the configuration is to be skipped now; null when it may be asked. */
  skips(connection: ProviderConnection): FailoverClass | null {
    const circuit = this.#find(connection)
    if (circuit === undefined || circuit.openUntil === null) return null
    return this.#mayProbe(circuit) ? null : circuit.lastClass
  }

  /** True when the attempt that starts now is the probe: it is made once, and must be followed by one of the three ends. */
  enter(connection: ProviderConnection): boolean {
    const circuit = this.#find(connection)
    if (circuit === undefined || !this.#mayProbe(circuit)) return false
    circuit.probeUntil = this.#clock.monotonic() + OPEN_MS
    return true
  }

  succeeded(connection: ProviderConnection): void {
    this.#circuits.delete(connection.llmConfigId)
  }

  /** The attempt says nothing about the configuration: aborted, or refused for the caller's own fault. */
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

  /** An edited configuration starts afresh. */
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
