import { isDeeperThan, jsonBytes } from '@troupe/contract'
import { megabytes } from '../model/output-sizes.ts'
import type { Found, InterpolationScope } from './interpolation-scope.ts'
import { lookUp } from './lookup.ts'
import { type TemplatePart, tokenize, wholeToken } from './tokenize.ts'

/** A resolved value, or one sentence about the token that could not be resolved. */
export type Resolved<T> = { ok: true; value: T } | { ok: false; error: string }

/** Maximum JSON bytes of one resolved field. */
export const MAX_FIELD_BYTES = 1024 * 1024
/** A larger field is not measured to its end: a thousand tokens for one text of 1 MB would take 15 s. */
const MEASURED_BYTES = 4 * MAX_FIELD_BYTES
/** Maximum nesting of a field, with the values of its tokens: each step of a run could wrap the value of the previous one. */
const MAX_DEPTH = 100
/** Maximum characters of a token that a message shows. */
const MAX_TOKEN = 300

function unresolved(token: string, reason: string): { ok: false; error: string } {
  const shown = token.length > MAX_TOKEN ? `${token.slice(0, MAX_TOKEN - 4)}… }}` : token
  return { ok: false, error: `could not resolve ${shown}: ${reason}` }
}

function tooLarge(bytes: number): { ok: false; error: string } {
  const size = `${bytes > MEASURED_BYTES ? 'at least ' : ''}${megabytes(bytes)}`
  return { ok: false, error: `is ${size}, more than the ${megabytes(MAX_FIELD_BYTES)} of a field` }
}

function tooDeep(): { ok: false; error: string } {
  return { ok: false, error: `is nested deeper than ${MAX_DEPTH} levels` }
}

function lookUpToken(part: TemplatePart & { kind: 'token' }, scope: InterpolationScope): Resolved<unknown> {
  const found: Found = lookUp(part.path, scope)
  return found.ok ? found : unresolved(part.token, found.reason)
}

/** Formats a value inside text: strings unchanged, everything else as JSON. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null
  }
}

function tokenText(part: TemplatePart & { kind: 'token' }, scope: InterpolationScope): Resolved<string> {
  const found = lookUpToken(part, scope)
  if (!found.ok) return found
  const text = asText(found.value)
  if (text === null) return unresolved(part.token, 'its value cannot be written as text')
  return { ok: true, value: text }
}

function joinParts(parts: readonly TemplatePart[], scope: InterpolationScope): Resolved<string> {
  const pieces: string[] = []
  let length = 0
  for (const part of parts) {
    const piece = part.kind === 'text' ? { ok: true as const, value: part.text } : tokenText(part, scope)
    if (!piece.ok) return piece
    pieces.push(piece.value)
    length += piece.value.length
    if (length > MEASURED_BYTES) return tooLarge(length)
  }
  return { ok: true, value: pieces.join('') }
}

function resolveString(template: string, scope: InterpolationScope): Resolved<unknown> {
  if (!template.includes('{{')) return { ok: true, value: template }
  const parts = tokenize(template)
  const whole = wholeToken(parts)
  return whole ? lookUpToken(whole, scope) : joinParts(parts, scope)
}

function resolveAny(value: unknown, scope: InterpolationScope, depth: number): Resolved<unknown> {
  if (typeof value === 'string') return resolveString(value, scope)
  if (typeof value !== 'object' || value === null) return { ok: true, value }
  if (depth > MAX_DEPTH) return tooDeep()
  const entries: [string, unknown][] = []
  for (const [key, inner] of Object.entries(value)) {
    const resolved = resolveAny(inner, scope, depth + 1)
    if (!resolved.ok) return resolved
    entries.push([key, resolved.value])
  }
  const isList = Array.isArray(value)
  return { ok: true, value: isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries) }
}

function withinLimit<T>(resolved: Resolved<T>): Resolved<T> {
  if (!resolved.ok) return resolved
  const bytes = jsonBytes(resolved.value, MEASURED_BYTES)
  if (bytes > MAX_FIELD_BYTES) return tooLarge(bytes)
  return isDeeperThan(MAX_DEPTH, resolved.value) ? tooDeep() : resolved
}

/**
 * Resolves a `Value` field: every string in it is interpolated, keys are not. A string that is a single token takes the
 * value with its type; a token inside text becomes text. Resolved values are not interpolated again. Never throws.
 */
export function resolveValue(value: unknown, scope: InterpolationScope): Resolved<unknown> {
  return withinLimit(resolveAny(value, scope, 0))
}

/** Resolves a `Text` field: like `resolveValue`, with the result converted to text. Never throws. */
export function resolveText(template: string, scope: InterpolationScope): Resolved<string> {
  if (!template.includes('{{')) return { ok: true, value: template }
  return withinLimit(joinParts(textParts(template), scope))
}

/** The parts of a text; white space around a single token is dropped. */
function textParts(template: string): readonly TemplatePart[] {
  const parts = tokenize(template)
  const whole = wholeToken(parts)
  return whole ? [whole] : parts
}
