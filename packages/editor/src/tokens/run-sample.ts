import { isJsonObject } from '@troupe/contract'
import { type InterpolationScope, resolveText, resolveValue, type TokenPath, tokenize } from '@troupe/graph'
import type { KnownToken } from './known-tokens.ts'

/** The values of the tokens of one step in a past run or test. Absent values are unknown. */
export interface RunSample {
  /** The trigger value; absent: its trace was erased. */
  trigger?: unknown
  /** By the id of the step. */
  outputs: ReadonlyMap<string, unknown>
  variables: ReadonlyMap<string, unknown>
  /** The iteration of the innermost Loop; absent: the step is in none, or its item is unknown. */
  loop?: { item: unknown; index: number }
}

/** A text or value with its tokens resolved, the error that a run would fail with, or the tokens without a value. */
type Preview =
  /** `absent`: the tokens whose value is null. Inside of a text, a run writes them as "null". */
  | { kind: 'value'; value: unknown; absent: readonly string[] }
  | { kind: 'fault'; sentence: string }
  | { kind: 'unknown'; tokens: readonly string[] }

/** Resolves the tokens of a setting as a run would; null if it has none. */
export function previewOf(template: unknown, sample: RunSample): Preview | null {
  if (typeof template !== 'string' || !template.includes('{{')) return null
  const tokens = tokenize(template).filter((part) => part.kind === 'token')
  if (tokens.length === 0) return null
  const unknown = tokens.filter(({ path }) => path.namespace !== null && !isKnown(path, sample))
  if (unknown.length > 0) return { kind: 'unknown', tokens: [...new Set(unknown.map(({ token }) => token))] }
  const isAlone = template.trim().startsWith('{{') && tokens.length === 1 && template.trim().endsWith('}}')
  const scope = scopeOf(sample)
  const resolved = isAlone ? resolveValue(template, scope) : resolveText(template, scope)
  if (!resolved.ok) return { kind: 'fault', sentence: resolved.error }
  const absent = tokens.filter(({ token }) => {
    const one = resolveValue(token, scope)
    return one.ok && one.value === null
  })
  return { kind: 'value', value: resolved.value, absent: [...new Set(absent.map(({ token }) => token))] }
}

function isKnown(path: TokenPath, { trigger, outputs, variables, loop }: RunSample): boolean {
  switch (path.namespace) {
    case 'trigger':
      return trigger !== undefined
    case 'upstream':
      return outputs.has(path.nodeId)
    case 'variables':
      return variables.has(path.name)
    case 'loop.item':
    case 'loop.index':
      return loop !== undefined
    default:
      return false
  }
}

/** The values as a run resolves tokens with them. */
export function scopeOf({ trigger, outputs, variables, loop }: RunSample): InterpolationScope {
  return {
    trigger: trigger ?? null,
    upstream: (nodeId) =>
      outputs.has(nodeId)
        ? { ok: true, value: outputs.get(nodeId) }
        : { ok: false, reason: `${nodeId} has no output` },
    variables,
    loop: loop ?? null,
  }
}

/** Maximum depth of listed names below the output of a step. */
const MAX_DEPTH = 4
/** Maximum number of tokens from one value. */
const MAX_PER_VALUE = 200

/** A token with its value in the run: "bug", 3, an object. */
export interface SampledToken extends KnownToken {
  /** Absent: no value in the run. */
  value?: unknown
}

/** The known tokens with their values, and those found only in the values of the run. */
export function sampledTokens(tokens: readonly KnownToken[], sample: RunSample): SampledToken[] {
  const found = new Map<string, SampledToken>()
  for (const token of tokens) {
    const value = valueOfPath(token.path, sample)
    const at = found.get(token.path)
    if (at === undefined) found.set(token.path, value === undefined ? token : { ...token, value })
    if (!isRoot(token.path) || value === undefined) continue
    for (const [path, inner] of valuesBelow(token.path, value)) {
      if (!found.has(path)) found.set(path, { ...token, path, type: typeOf(inner), value: inner })
    }
  }
  if (sample.trigger !== undefined && tokens.every(({ path }) => path !== 'trigger')) {
    for (const [path, inner] of valuesBelow('trigger', sample.trigger)) {
      const known = found.get(path)
      const token = known ?? { path, source: 'trigger' as const, stepName: null, type: typeOf(inner) }
      found.set(path, { ...token, value: inner })
    }
  }
  return [...found.values()]
}

const isRoot = (path: string) => /^(?:upstream\.[^.]+\.output|variables\.[^.]+|loop\.item)$/.test(path)

/** The value of a path; undefined if there is none. */
function valueOfPath(path: string, { trigger, outputs, variables, loop }: RunSample): unknown {
  const [namespace, ...keys] = path.split('.')
  switch (namespace) {
    case 'trigger':
      return valueBelow(trigger, keys)
    case 'upstream':
      return valueBelow(outputs.get(keys[0] ?? ''), keys.slice(2))
    case 'variables':
      return valueBelow(variables.get(keys[0] ?? ''), keys.slice(1))
    case 'loop':
      return valueBelow(loop, keys)
    default:
      return undefined
  }
}

function valueBelow(root: unknown, keys: readonly string[]): unknown {
  let value = root
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** The values inside another one that a token can name, nearest first. A list is one value. */
function valuesBelow(root: string, value: unknown): [string, unknown][] {
  const found: [string, unknown][] = []
  let level: [string, unknown][] = [[root, value]]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: [string, unknown][] = []
    for (const [path, holder] of level) {
      if (!isJsonObject(holder)) continue
      for (const [key, inner] of Object.entries(holder)) {
        if (found.length + next.length >= MAX_PER_VALUE) break
        if (isTokenKey(key)) next.push([`${path}.${key}`, inner])
      }
    }
    found.push(...next)
    level = next
  }
  return found
}

/** Whether a token can name a key: a dot would split it. */
const isTokenKey = (key: string) => /^[^.{}\s](?:[^.{}\n]*[^.{}\s])?$/.test(key) && key !== '__proto__'

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
