import { createHash } from 'node:crypto'

/** Maximum length of a tool's name that every provider accepts. */
export const MAX_TOOL_NAME = 64
/** Characters of a suffix, with its underscore. */
const SUFFIX = 7

/** A name with a suffix derived from `identity`, independent of the tool's position. */
export function withSuffix(name: string, identity: string): string {
  const suffix = createHash('sha256')
    .update(identity)
    .digest('hex')
    .slice(0, SUFFIX - 1)
  return `${name.slice(0, MAX_TOOL_NAME - SUFFIX)}_${suffix}`
}

/**
 * Appends a name to another one. If the result is too long, it is truncated and gets a suffix derived from the whole.
 */
export function joinedName(first: string, second: string): string {
  const whole = `${first}_${second}`
  return whole.length <= MAX_TOOL_NAME ? whole : withSuffix(whole, whole)
}
