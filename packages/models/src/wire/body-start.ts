import type { WireProtocol } from '../provider/provider.ts'

/** The kind of a body by its first bytes; `other` is neither the requested kind nor JSON. */
export type BodyKind = 'stream' | 'json' | 'other'

/** The longest start that decides the kind: `retry:` or `event:`. */
const TELLING = 6
/** Maximum white space to skip at the beginning, in bytes. */
const MAX_BLANK = 4096

const FIELD = /^(?:data|event|id|retry)\s*:|^:/

/**
 * The kind of a body with these first bytes; null while they are too few. Headers are not reliable: servers stream as
 * `text/plain` or `application/json`, and gateways send their errors with the type of the stream.
 */
export function bodyKind(
  start: Uint8Array,
  protocol: WireProtocol | 'json',
  isAll: boolean,
): BodyKind | null {
  // A message of Amazon's event stream starts with its length in four bytes, below 16 MB.
  if (protocol === 'converse' && start[0] === 0) return 'stream'
  const first = knownBeginning(start)
  if (first === 'json' || (first === 'stream' && protocol !== 'json' && protocol !== 'converse')) return first
  const text = new TextDecoder('latin1').decode(start.subarray(0, MAX_BLANK)).replace(/^(?:ï»¿)?\s*/, '')
  // Only white space so far: at its end, this is an answer that was cut off.
  if (text === '') return isAll ? 'stream' : start.length >= MAX_BLANK ? 'other' : null
  if (text.startsWith('{') || text.startsWith('[')) return 'json'
  if (protocol === 'json' || protocol === 'converse') return 'other'
  if (FIELD.test(text)) return 'stream'
  return isAll || text.length >= TELLING || text.startsWith('<') ? 'other' : null
}

/**
 * The kind of a body that begins with a bracket or a field, as nearly all do. For all others, a longer start decides.
 */
function knownBeginning(start: Uint8Array): BodyKind | null {
  const text = String.fromCharCode(...start.subarray(0, TELLING))
  if (text.startsWith('{') || text.startsWith('[')) return 'json'
  return FIELD.test(text) ? 'stream' : null
}
