/** Maximum packets of one kind. More would be noise, and each is an element that moves. */
export const MOST_PACKETS = 24

/** A connection that a run has taken. */
export interface TakenWay {
  key: string
  /** The step behind it runs: its own packets move repeatedly. */
  isFlowing: boolean
}

/**
 * The connections with a packet that moves once: those whose packet has not arrived yet, and those taken since the last
 * render. A packet without room is dropped, and so is one whose connection is hidden or gets the packets of a running
 * step: later it would show an output that was passed on long ago.
 *
 * @param moving keys of connections whose packet has not arrived
 * @param known keys of the connections that were taken at the last render
 */
export function passingPackets(
  moving: ReadonlySet<string>,
  known: ReadonlySet<string>,
  taken: readonly TakenWay[],
): ReadonlySet<string> {
  const drawn = new Set(taken.flatMap(({ key, isFlowing }) => (isFlowing ? [] : key)))
  const still = [...moving].filter((key) => drawn.has(key))
  const fresh = [...drawn].filter((key) => !known.has(key))
  if (fresh.length === 0 && still.length === moving.size) return moving
  return new Set([...still, ...fresh].slice(0, MOST_PACKETS))
}
