import { AnyRunId, type Id, type IdKind, invalidField, parseId } from '@troupe/contract'
import type { RunPlace } from '@troupe/storage'

/** The place of something in a list, newest first. */
interface Place<ItemId extends string> {
  createdAt: number
  id: ItemId
}

/** A place in a list as text for clients. */
export function presentPlace(place: Place<string> | null): string | null {
  return place && `${place.createdAt}.${place.id}`
}

/** The place of a run in a list as text for clients. */
export function presentRunPlace(place: RunPlace | null): string | null {
  return presentPlace(place && { createdAt: place.createdAt, id: place.runId })
}

/**
 * The place that a client sends as `after`, of an item of this kind; null if absent.
 *
 * @throws DomainError `validation_error`
 */
export function placeOf<Kind extends string>(
  kind: IdKind<Kind>,
  after: string | undefined,
): Place<Id<Kind>> | null {
  if (after === undefined) return null
  const [time = '', text = '', ...rest] = after.split('.')
  const id = parseId(kind, text)
  if (/^\d{1,13}$/.test(time) && id !== null && rest.length === 0) return { createdAt: Number(time), id }
  throw invalidField('after', 'must be `next` of a page of this list')
}

/** The place of a run that a client sends as `after`. @throws DomainError as {@link placeOf} */
export function placeOfRun(after: string | undefined): RunPlace | null {
  const place = placeOf(AnyRunId, after)
  return place && { createdAt: place.createdAt, runId: place.id }
}
