/** Chunks per statement: the embedded database indexes them on the event loop, in about 15 milliseconds each. */
const WRITTEN_AT_ONCE = 4

/** Splits items into one list per statement, in order. */
export function* writtenAtOnce<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += WRITTEN_AT_ONCE) yield items.slice(at, at + WRITTEN_AT_ONCE)
}
