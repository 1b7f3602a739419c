const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Generated ids begin with a timestamp; this many characters distinguish two ids of the same hour. */
const KEPT = 13

/**
 * The beginning of a generated id with an ellipsis. Any other text, such as a caller's own id, is unchanged.
 */
export function shortId(id: string): string {
  return UUID.test(id) ? `${id.slice(0, KEPT)}…` : id
}
