import type { DomainError } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { Database, Transaction } from '@troupe/storage'

/** Dependencies of a decision on a review or an approval. */
export interface DecisionParts {
  database: Pick<Database, 'transaction'>
  /** Sends a delivery to the engine without waiting for it. */
  send: (delivery: Delivery) => void
}

/** The outcome of a decision, and the delivery of the run that continues. `refusal` is thrown after the commit. */
export type DecisionOutcome<T> = { delivery: Delivery | null } & ({ decided: T } | { refusal: DomainError })

/**
 * Decides a review or an approval in one transaction, which locks the run first: decisions, deadlines, cancels and the
 * commits of the run's worker are serialized by that lock. The continuing run is submitted after the commit. A refusal
 * is also thrown after it, so that an expiry detected by the decision is persisted.
 *
 * @param id null for a text that is not a UUID, which is answered as an unknown id
 */
export async function decideWithin<Id extends string, T>(
  { database, send }: DecisionParts,
  id: Id | null,
  notFound: () => DomainError,
  decide: (tx: Transaction, id: Id) => Promise<DecisionOutcome<T>>,
): Promise<T> {
  if (id === null) throw notFound()
  const outcome = await database.transaction((tx) => decide(tx, id))
  if (outcome.delivery) send(outcome.delivery)
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.decided
}
