import { createHash } from 'node:crypto'

/** The longest name of a tool that every provider takes. */
export const MAX_TOOL_NAME = 64
/** Characters of a suffix, with its underscore. */
const SUFFIX = 7

/** A name with a suffix that belongs to `identity`: it stays the same wherever the tool stands. */
export function withSuffix(name: string, identity: string): string {
  const suffix = createHash('sha256')
    .update(identity)
    .digest('hex')
    .slice(0, SUFFIX - 1)
  return `${name.slice(0, MAX_TOOL_NAME - SUFFIX)}_${suffix}`
}

/** A name behind another one; what would be too long is cut, with a suffix that belongs to the whole. */
export function joinedName(first: string, second: string): string {
  const whole = `${first}_${second}`
  return whole.length <= MAX_TOOL_NAME ? whole : withSuffix(whole, whole)
}
