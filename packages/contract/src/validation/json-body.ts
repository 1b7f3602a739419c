import { DomainError } from '../errors/domain-error.ts'
import type { FieldError } from '../errors/error-body.ts'
import { fieldPath, MAX_FIELD_ERRORS } from '../errors/field-path.ts'

export const MAX_BODY_BYTES = 1024 * 1024
/** Deeper bodies could overflow the stack in later recursions. */
export const MAX_DEPTH = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })
// PostgreSQL stores neither NUL characters nor lone surrogates. Both can only arrive as escapes.
const BAD_ESCAPE = /\\u(?:0000|d[89a-f])/i
/** Matches lone surrogates only: surrogate pairs of a well-formed string count as one code point. */
const LONE_SURROGATE = /\p{Surrogate}/u
const SUSPICIOUS_KEY = /__proto__|constructor|\\u/
// Only an exponent of three digits, or more than 200 digits, can exceed the range of numbers.
const HUGE_NUMBER = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/

/**
 * Reads a JSON body. An empty body is undefined.
 *
 * @throws DomainError `validation_error` for invalid UTF-8 or JSON, for a body nested deeper than {@link MAX_DEPTH},
 * and for keys, numbers and characters that later code must not receive
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = decodeUtf8(bytes)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new DomainError('validation_error', 'The request body is not valid JSON.')
  }
  // Most bodies have so few brackets and escapes that no walk is needed.
  const suspicious = SUSPICIOUS_KEY.test(text) || BAD_ESCAPE.test(text) || HUGE_NUMBER.test(text)
  if (suspicious || brackets(text) > MAX_DEPTH) refuseHostile(body)
  return body
}

/** @throws DomainError `validation_error` for invalid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new DomainError('validation_error', 'The request body is not valid UTF-8.')
  }
}

function brackets(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x7b || code === 0x5b) count += 1
  }
  return count
}

function refuseHostile(body: unknown): void {
  const errors: FieldError[] = []
  walk(body, '', 1, errors)
  if (errors.length > 0) throw hostile(errors)
}

function hostile(errors: FieldError[]): DomainError {
  return new DomainError('validation_error', 'The request body is not valid.', { errors })
}

function walk(value: unknown, path: string, depth: number, errors: FieldError[]): void {
  if (typeof value === 'string') checkText(value, path, errors)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    errors.push({ path: path || 'body', message: 'must be a finite number' })
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) {
    // Ends the walk: a deep body would otherwise be reported once per branch.
    throw new DomainError('validation_error', 'The request body is nested too deeply.', {
      errors: [{ path, message: `must not be nested deeper than ${MAX_DEPTH} levels` }],
    })
  }
  for (const [key, child] of Object.entries(value)) {
    if (errors.length >= MAX_FIELD_ERRORS) throw hostile(errors)
    const childPath = fieldPath(path, key)
    if (isReserved(key, child)) errors.push({ path: childPath, message: 'is a reserved key' })
    checkText(key, path, errors)
    walk(child, childPath, depth + 1, errors)
  }
}

/** A key that would reach a prototype if assigned; a plain text named `constructor` is harmless. */
function isReserved(key: string, child: unknown): boolean {
  return key === '__proto__' || (key === 'constructor' && typeof child === 'object' && child !== null)
}

function checkText(text: string, path: string, errors: FieldError[]): void {
  if (text.includes('\0')) errors.push({ path: path || 'body', message: 'must not contain NUL characters' })
  if (LONE_SURROGATE.test(text))
    errors.push({ path: path || 'body', message: 'must not contain lone surrogates' })
}
