import { invalidField, isUuid } from '@troupe/contract'
import type { RunPlace } from '@troupe/storage'

/** The place of a run in a list as text for clients. */
export function presentPlace(place: RunPlace | null): string | null {
  return place && `${place.createdAt}.${place.runId}`
}

/**
 * The place that a client sends as `after`; null if absent.
 *
 * @throws DomainError `validation_error`
 */
export function placeOfRun(after: string | undefined): RunPlace | null {
  if (after === undefined) return null
  const [time = '', runId = '', ...rest] = after.split('.')
  if (/^\d{1,13}$/.test(time) && isUuid(runId) && rest.length === 0) {
    return { createdAt: Number(time), runId }
  }
  throw invalidField('after', 'must be `next` of a page of this list')
}
