import type { Clock } from '@troupe/agents/ports'
import type { RequestField } from './request-fields.ts'

const MAX_MODELS = 200
/** After this time a field is sent again, because the server may have been updated. */
const REMEMBERED_MS = 60 * 60 * 1000

/** The fields that the models of one connection have refused, in this process. */
export class RefusedFields {
  readonly #clock: Clock
  readonly #models = new Map<string, Map<RequestField, number>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The fields that this model is known to refuse. */
  of(modelId: string): RequestField[] {
    const now = this.#clock.now()
    return [...(this.#models.get(modelId) ?? [])].flatMap(([field, until]) => (until > now ? [field] : []))
  }

  add(modelId: string, field: RequestField): void {
    const fields = this.#models.get(modelId) ?? new Map<RequestField, number>()
    // Inserted again, so that the model with the oldest refusal is evicted first.
    this.#models.delete(modelId)
    this.#models.set(modelId, fields.set(field, this.#clock.now() + REMEMBERED_MS))
    const [oldest] = this.#models.keys()
    if (this.#models.size > MAX_MODELS && oldest !== undefined) this.#models.delete(oldest)
  }
}
