import { isJsonObject } from '@troupe/contract'
import { closest, type TokenPath, tokenize } from '@troupe/graph'
import type { KnownToken } from './known-tokens.ts'
import type { RunSample } from './run-sample.ts'
import { replacements, type TokenFix, tokenOf } from './token-fixes.ts'

/** A sentence of a failed step, with the token that found nothing. */
interface FailedToken {
  /** The sentence before the token, and after it. */
  before: string
  token: string
  after: string
  path: TokenPath
}

/** The token that a step failed by; null: it failed by something else. */
export function failedToken(error: string): FailedToken | null {
  const found = tokenOf(error)
  if (found === null) return null
  const from = error.indexOf('{{')
  const to = error.indexOf('}}', from) + 2
  return { before: error.slice(0, from), token: found.token, after: error.slice(to), path: found.path }
}

/** The value that has no such key, and what it has instead. */
export interface MissingKey {
  /** The path to the value: `upstream.fetch.output.user`. */
  at: string
  /** The keys of an object, with their values; empty: it is no object, or an empty one. */
  keys: readonly (readonly [string, unknown])[]
  value: unknown
  /** The key that is missing, and the keys of the path behind it. */
  rest: readonly string[]
}

/** Keys of a value that are named. */
const MAX_KEYS = 50

/**
 * Where the path of a token ends in the value that it begins with; null: it does not end there, because the value has all of its keys.
 *
 * @param root the output of the step, or what started the run
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

/** Whether a text of a setting has a token, however it is spaced. */
export function hasToken(text: string, token: string): boolean {
  return text.includes('{{') && tokenize(text).some((part) => part.kind === 'token' && part.token === token)
}

/** The repairs of a token that finds nothing in the values of a run: a key that is there first, also inside of lists. */
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
