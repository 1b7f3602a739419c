import { isJsonObject } from '@troupe/contract'
import { closest, type TokenPath, tokenize } from '@troupe/graph'
import type { KnownToken } from './known-tokens.ts'
import type { RunSample } from './run-sample.ts'
import { replacements, type TokenFix, tokenOf } from './token-fixes.ts'

/** The message of a failed step, split at the unresolved token. */
interface FailedToken {
  /** The text before the token, and after it. */
  before: string
  token: string
  after: string
  path: TokenPath
}

/** The unresolved token in the error of a step; null if the error has another cause. */
export function failedToken(error: string): FailedToken | null {
  const found = tokenOf(error)
  if (found === null) return null
  const from = error.indexOf('{{')
  const to = error.indexOf('}}', from) + 2
  return { before: error.slice(0, from), token: found.token, after: error.slice(to), path: found.path }
}

/** The value that lacks a key, and its existing keys. */
export interface MissingKey {
  /** The path to the value: `upstream.fetch.output.user`. */
  at: string
  /** The keys of an object, with their values; empty for an empty object or another value. */
  keys: readonly (readonly [string, unknown])[]
  value: unknown
  /** The missing key, and the rest of the path. */
  rest: readonly string[]
}

/** Maximum number of listed keys. */
const MAX_KEYS = 50

/**
 * The point at which the path of a token cannot be resolved; null if the value has all of its keys.
 *
 * @param root the output of the step, or the trigger value
 */
export function missingKey(path: TokenPath, root: unknown): MissingKey | null {
  if (path.namespace !== 'trigger' && path.namespace !== 'upstream') return null
  let at = path.namespace === 'trigger' ? 'trigger' : `upstream.${path.nodeId}.output`
  let value = root
  for (const [index, key] of path.keys.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      const keys = isJsonObject(value) ? Object.entries(value).slice(0, MAX_KEYS) : []
      return { at, keys, value, rest: path.keys.slice(index) }
    }
    value = Reflect.get(value, key)
    at += `.${key}`
  }
  return null
}

/** Whether the text of a setting contains a token, with any spacing. */
export function hasToken(text: string, token: string): boolean {
  return text.includes('{{') && tokenize(text).some((part) => part.kind === 'token' && part.token === token)
}

/** The repairs of a token that has no value in a run: existing keys first, including inside of lists. */
export function fixesOfFault(sentence: string, sample: RunSample, tokens: readonly KnownToken[]): TokenFix[] {
  const found = tokenOf(sentence)
  if (found === null) return []
  const { token, path } = found
  const root = path.namespace === 'upstream' ? sample.outputs.get(path.nodeId) : sample.trigger
  const missing = missingKey(path, root)
  const [key = '', ...behind] = missing?.rest ?? []
  const meant =
    missing &&
    closest(
      key,
      missing.keys.map(([name]) => name),
    )
  if (!meant) return replacements(token, tokens)
  return [{ kind: 'replace', token, path: [missing.at, meant, ...behind].join('.') }]
}
