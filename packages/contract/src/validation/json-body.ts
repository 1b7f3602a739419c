import { DomainError } from '../errors/domain-error.ts'
import type { FieldError } from '../errors/error-body.ts'
import { fieldPath, MAX_FIELD_ERRORS } from '../errors/field-path.ts'
import { changedNumberFault, changedNumbers, parseWithLongNumbersAsTexts } from './changed-numbers.ts'
import { JSON_BUDGET, jsonExcess, type LongNumbers } from './parse-json.ts'

export const MAX_BODY_BYTES = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })
// PostgreSQL stores neither NUL characters nor lone surrogates. Both can only arrive as escapes.
const BAD_ESCAPE = /\\u(?:0000|d[89a-f])/i
/** Matches lone surrogates only: surrogate pairs of a well-formed string count as one code point. */
const LONE_SURROGATE = /\p{Surrogate}/u
const SUSPICIOUS_KEY = /__proto__|constructor|\\u/

/**
 * Reads a JSON body. An empty body is undefined.
 *
 * @param maxBytes of the route: the limit of values is proportional to it
 * @param longNumbers the treatment of numbers that a double would change; refused by default
 * @throws DomainError `validation_error` for invalid UTF-8 or JSON, for a body beyond {@link JSON_BUDGET}, and for
 * keys, numbers and characters that later code must not receive
 */
export function parseJsonBody(
  bytes: Uint8Array,
  maxBytes = MAX_BODY_BYTES,
  longNumbers: LongNumbers = 'refuse',
): unknown {
  if (bytes.length === 0) return undefined
  const text = decodeUtf8(bytes)
  // Checked before anything is built. The route has already refused more bytes.
  const values = JSON_BUDGET.values * Math.ceil(maxBytes / MAX_BODY_BYTES)
  const excess = jsonExcess(text, { ...JSON_BUDGET, characters: maxBytes, values })
  if (excess !== null) {
    throw hostile([{ path: excess.path || 'body', message: `must not have ${excess.words}` }])
  }
  let body: unknown
  try {
    body = longNumbers === 'text' ? parseWithLongNumbersAsTexts(text) : JSON.parse(text)
  } catch {
    throw unreadable('is not valid JSON')
  }
  // Most bodies contain no such characters and are not walked.
  if (SUSPICIOUS_KEY.test(text) || BAD_ESCAPE.test(text)) refuseHostile(body)
  if (longNumbers === 'refuse') refuseChangedNumbers(text)
  return body
}

/** @throws DomainError `validation_error` for invalid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw unreadable('is not valid UTF-8')
  }
}

function refuseHostile(body: unknown): void {
  const errors: FieldError[] = []
  walk(body, '', errors)
  if (errors.length > 0) throw hostile(errors)
}

function refuseChangedNumbers(text: string): void {
  const errors = changedNumbers(text, MAX_FIELD_ERRORS).map(({ path, literal }) => ({
    path: path || 'body',
    message: changedNumberFault(literal),
  }))
  if (errors.length > 0) throw hostile(errors)
}

function unreadable(message: string): DomainError {
  return new DomainError('validation_error', `The request body ${message}.`, {
    errors: [{ path: 'body', message }],
  })
}

function hostile(errors: FieldError[]): DomainError {
  return new DomainError('validation_error', 'The request body is not valid.', { errors })
}

function walk(value: unknown, path: string, errors: FieldError[]): void {
  if (typeof value === 'string') checkText(value, path, errors)
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (errors.length >= MAX_FIELD_ERRORS) throw hostile(errors)
    const childPath = fieldPath(path, key)
    if (isReserved(key, child)) errors.push({ path: childPath, message: 'is a reserved key' })
    checkText(key, path, errors)
    walk(child, childPath, errors)
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
