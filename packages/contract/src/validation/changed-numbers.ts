import { shortened } from '../errors/field-path.ts'
import { isKeptByDouble, JSON_NUMBER } from './decimal.ts'
import { JsonPlace, QUOTE } from './json-text.ts'

/** A number in a JSON text that `JSON.parse` would change. */
export interface ChangedNumber {
  /** Its path; empty for the root. */
  path: string
  literal: string
}

/** Numbers with fewer digits and without an exponent are exact as doubles. */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d/
const DASH = 0x2d
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isOfNumber = (code: number) =>
  isDigit(code) || code === 0x2e || code === DASH || code === 0x2b || code === 0x65 || code === 0x45

type Steps = readonly (string | number)[]

const isIndex = (step: string | number | undefined) => /^\d+$/.test(String(step))
/** Keys of a schema with values that rounding would change. */
const VALUES_OF_SCHEMA: ReadonlySet<string | number> = new Set(['const', 'enum', 'default'])

/** The steps below a tool of an agent: `tool` alone, or an item of `config.tools`. */
function isInTool(steps: Steps, at: number): boolean {
  if (at === 1) return steps[0] === 'tool'
  return isIndex(steps[at - 1]) && steps[at - 2] === 'tools' && steps[at - 3] === 'config'
}

/** Whether a schema begins after this step of a path, in a configuration or in a request of OpenAI's protocol. */
function isSchema(steps: Steps, at: number): boolean {
  switch (steps[at]) {
    case 'input_schema':
      return isInTool(steps, at)
    case 'outputSchema':
      return steps[at - 1] === 'config'
    case 'schema':
      return steps[at - 1] === 'output' || (at === 2 && steps[0] === 'response_format')
    case 'parameters':
      return at === 3 && steps[0] === 'tools' && steps[2] === 'function'
    default:
      return false
  }
}

/**
 * Whether a path leads to a limit or an example in a schema, or into an OpenAPI document. Generators write `maximum:
 * 9223372036854775807` there, and such an extreme limit keeps its meaning when it is rounded.
 */
export function isLimitOfSchema(steps: Steps): boolean {
  for (let at = 0; at < steps.length - 1; at += 1) {
    if (steps[at] === 'document' && isInTool(steps, at)) return true
    if (isSchema(steps, at)) return !steps.slice(at + 1).some((step) => VALUES_OF_SCHEMA.has(step))
  }
  return false
}

/** The numbers in a JSON text that a double changes, in order. One pass, which most texts do not need. */
function* lostNumbers(
  text: string,
  isKept: (literal: string) => boolean,
): Generator<{ literal: string; start: number; end: number; place: JsonPlace }> {
  if (!SUSPICIOUS.test(text)) return
  const place = new JsonPlace()
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || (code !== DASH && !isDigit(code))) {
      at = place.read(text, at)
      continue
    }
    const start = at
    while (isOfNumber(text.charCodeAt(at + 1))) at += 1
    const literal = text.slice(start, at + 1)
    if (SUSPICIOUS.test(literal) && JSON_NUMBER.test(literal) && !isKept(literal)) {
      yield { literal, start, end: at + 1, place }
    }
  }
}

/**
 * The numbers in a JSON text that a double changes, in order, at most `most`; limits and examples of schemas are left
 * out. For text that is not JSON, the result is arbitrary: the parser refuses it.
 *
 * @param isKept the numbers to accept; by default those that a double reproduces
 */
export function changedNumbers(
  text: string,
  most: number,
  isKept: (literal: string) => boolean = isKeptByDouble,
): ChangedNumber[] {
  const found: ChangedNumber[] = []
  for (const { place, literal } of lostNumbers(text, isKept)) {
    if (found.length >= most) break
    if (!isLimitOfSchema(place.steps)) found.push({ path: place.path(), literal })
  }
  return found
}

/**
 * Parses a JSON text; numbers that a double would change become texts of their digits.
 *
 * @throws SyntaxError for text that is not JSON
 */
export function parseWithLongNumbersAsTexts(text: string): unknown {
  const value: unknown = JSON.parse(text)
  let quoted = ''
  let from = 0
  for (const { start, end, literal } of lostNumbers(text, isKeptByDouble)) {
    quoted += `${text.slice(from, start)}"${literal}"`
    from = end
  }
  return from === 0 ? value : JSON.parse(quoted + text.slice(from))
}

const MAX_SHOWN = 60

/** Why a number is refused: `would change from 9007199254740993 to 9007199254740992: …`. */
export function changedNumberFault(literal: string): string {
  const double = Number(literal)
  if (!Number.isFinite(double)) return 'must be a finite number'
  const shown = shortened(literal, MAX_SHOWN)
  return `would change from ${shown} to ${double}: send a number of so many digits as text`
}
