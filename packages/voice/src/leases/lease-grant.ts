/** A lease reserves at most this many seconds at a time. */
const LONGEST_GRANT_S = 300
/** A shorter lease is refused. */
const SHORTEST_GRANT_S = 60

/** The seconds left in a budget of voice minutes; negative if its limit was lowered below the usage. */
export type RemainingSeconds = number

/**
 * The seconds that a call may reserve: whole billing units, so that the rounded charge never exceeds the reservation.
 *
 * @param remaining of every budget that the call uses, not empty
 * @param unitS the billing unit, 1 to 60 seconds
 * @returns 0 if a budget has no room for a call
 */
export function grantedSeconds(remaining: readonly RemainingSeconds[], unitS: number): number {
  const granted = Math.floor(Math.min(...remaining, LONGEST_GRANT_S) / unitS) * unitS
  return granted < SHORTEST_GRANT_S ? 0 : granted
}
