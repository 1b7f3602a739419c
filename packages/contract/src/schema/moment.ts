const FIRST = Date.parse('0001-01-01T00:00:00Z')
/** The last time that {@link momentOf} accepts, in milliseconds since the epoch. */
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The time of a text or of a number of milliseconds since the epoch; null if it is invalid, or outside the years 1 to
 * 9999 in UTC, which neither the database nor ISO 8601 supports. A text may match `date-time` and still be invalid: a
 * leap second, or an offset of a whole day.
 */
export function momentOf(given: string | number): Date | null {
  const at = new Date(given)
  const ms = at.getTime()
  return ms >= FIRST && ms <= LAST_MOMENT ? at : null
}
