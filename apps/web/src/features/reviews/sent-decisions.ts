import type { BroughtUp } from '../../core/reviews/double-press.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { createValueStore } from '../../infrastructure/client/value-store.ts'

/** Decisions in flight, which lists already omit. */
export const sentDecisions = createValueStore<ReadonlySet<string>>(new Set())

/** The item opened by the last decision; null: none. */
export const broughtUp = createValueStore<BroughtUp | null>(null)

/** Refused decisions, by their review or approval, until the next attempt. */
export const refusedDecisions = createValueStore<ReadonlyMap<string, CallFailure>>(new Map())

/** Records that a decision was sent. */
export function noteSent(id: string): void {
  sentDecisions.set(new Set(sentDecisions.get()).add(id))
  noteFailure(id, null)
}

/** Records the server's response; after a failure, the item is still open. */
export function noteAnswered(id: string, failure: CallFailure | null): void {
  const left = new Set(sentDecisions.get())
  left.delete(id)
  sentDecisions.set(left)
  noteFailure(id, failure)
}

function noteFailure(id: string, failure: CallFailure | null): void {
  const refused = new Map(refusedDecisions.get())
  if (failure) refused.set(id, failure)
  else refused.delete(id)
  refusedDecisions.set(refused)
}
