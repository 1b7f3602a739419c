/** Maximum failures in one response. */
export const MAX_FIELD_ERRORS = 200
const LONGEST_KEY = 100
const LONGEST_PATH = 1_000

/**
 * The path of a key below another path, for messages. Keys and paths are a caller's text: a long key is shortened, and
 * below a long path the path itself is named. Otherwise, one long key above many failures multiplies: 2,000 failures
 * below a key of 500,000 characters are a response of 1 GB.
 */
export function fieldPath(parent: string, key: string): string {
  const path = parent === '' ? shortened(key, LONGEST_KEY) : `${parent}.${shortened(key, LONGEST_KEY)}`
  return path.length > LONGEST_PATH ? parent : path
}

/** A text cut to `limit` characters, with an ellipsis. */
export function shortened(text: string, limit = LONGEST_PATH): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`
}
