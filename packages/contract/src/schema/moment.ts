const FIRST = Date.parse('0001-01-01T00:00:00Z')
/** The last one that {@link momentOf} accepts, in milliseconds since the epoch. */
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The time that a text or a number of milliseconds since the epoch names; null for none, and for one outside the years 1
 * to 9999 in UTC, which neither the database nor ISO 8601 has. A text may match `date-time` and still name none: a leap
 * second, or an offset of a whole day.
 */
export function momentOf(given: string | number): Date | null {
  const at = new Date(given)
  const ms = at.getTime()
  return ms >= FIRST && ms <= LAST_MOMENT ? at : null
}
