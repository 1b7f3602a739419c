import { changedNumberFault, changedNumbers, parseWithLongNumbersAsTexts } from './changed-numbers.ts'
import { isKeptButRounded } from './decimal.ts'
import { COLON, COMMA, endOfString, isCloser, isOpener, isSpace, JsonPlace, QUOTE } from './json-text.ts'

/** The budget of one JSON text. A text above it is not parsed. */
export interface JsonBudget {
  /** UTF-16 code units of the whole text. */
  characters: number
  /** Levels of arrays and objects; a scalar has none. */
  levels: number
  /** Every scalar, array, object and member, the root included. */
  values: number
  /** Members of one object. */
  keys: number
  /** UTF-16 code units of one serialised key. */
  keyCharacters: number
}

/** The default budget, for bodies, provider responses and everything else without a narrower one. */
export const JSON_BUDGET: Readonly<JsonBudget> = {
  characters: 1024 * 1024,
  // Deeper values could overflow the stack of later recursions, such as `JSON.stringify` and PostgreSQL's parser.
  levels: 64,
  values: 100_000,
  // Every pass over an object with more members is several times as slow per member: V8 stores it as a hash table, and
  // sorts its keys whenever it lists them.
  keys: 20_000,
  keyCharacters: 10_000,
}

/** The exceeded limit of a JSON text. */
export interface JsonExcess {
  /** In words: `more than 64 levels`. */
  words: string
  /** The path of the offending value or key; empty for the text as a whole. */
  path: string
}

/**
 * The value of a text, or the reason that it has none: a sentence part such as `more than 64 levels`, or null if it is
 * not JSON.
 */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; excess: string | null }

/**
 * The path of the value at an index, for messages. Reads the text a second time, so it is only called for a refused
 * value.
 */
function pathAt(text: string, index: number): string {
  const place = new JsonPlace()
  for (let at = 0; at < index; at += 1) at = place.read(text, at)
  return place.path()
}

/**
 * The budget limit that a JSON text exceeds; null if none. One pass over the text, which builds nothing. For text that
 * is not JSON, the result is arbitrary: the parser refuses it.
 */
export function jsonExcess(text: string, budget: Readonly<JsonBudget> = JSON_BUDGET): JsonExcess | null {
  if (text.length > budget.characters) return excess(`${budget.characters} characters`)
  let levels = 0
  let values = 1
  let previous = 0
  let keyLength = 0
  // For every open list and object: its start, and the keys so far.
  const starts: number[] = []
  const keys: number[] = []
  for (let at = 0; at < text.length && values <= budget.values + 1; at += 1) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    if (code === QUOTE) {
      const end = endOfString(text, at)
      keyLength = end - at - 1
      at = end
    } else if (code === COLON) {
      if (keyLength > budget.keyCharacters) {
        return {
          words: `a key of more than ${budget.keyCharacters} characters`,
          path: pathAt(text, at + 1),
        }
      }
      const count = (keys[levels] ?? 0) + 1
      keys[levels] = count
      if (count > budget.keys) {
        return {
          words: `an object of more than ${budget.keys} keys`,
          path: pathAt(text, starts[levels] ?? 0),
        }
      }
    } else if (code === COMMA) {
      values += 1
    } else if (isOpener(code)) {
      levels += 1
      if (levels > budget.levels) return excess(`${budget.levels} levels`, pathAt(text, at))
      starts[levels] = at
      keys[levels] = 0
      // Counts the first member; the closing bracket subtracts it again if there is none.
      values += 1
    } else if (isCloser(code)) {
      levels -= 1
      // An unmatched closing bracket, so this is not JSON.
      if (levels < 0) return null
      if (isOpener(previous)) values -= 1
    }
    previous = code
  }
  return values > budget.values ? excess(`${budget.values} values`) : null
}

function excess(limit: string, path = ''): JsonExcess {
  return { words: `more than ${limit}`, path }
}

/**
 * The treatment of numbers that a double would change, such as an id of 19 digits.
 * - `refuse`: the text is refused, because its sender can write it again; decimals written by a model are rounded.
 * - `text`: they become texts of their digits, because a refusal would lose data.
 * - `round`: they become the nearest double, because they are measurements or are not read at all.
 */
export type LongNumbers = 'refuse' | 'text' | 'round'

/** Parses external JSON within a budget: a text that exceeds it is refused before anything is built. Never throws. */
export function parseJson(
  text: string,
  budget?: Readonly<JsonBudget>,
  longNumbers: LongNumbers = 'round',
): ParsedJson {
  const found = jsonExcess(text, budget)
  if (found !== null) return { ok: false, excess: found.words }
  try {
    const value: unknown = longNumbers === 'text' ? parseWithLongNumbersAsTexts(text) : JSON.parse(text)
    const [changed] = longNumbers === 'refuse' ? changedNumbers(text, 1, isKeptButRounded) : []
    if (!changed) return { ok: true, value }
    const where = changed.path === '' ? '' : `"${changed.path}" `
    return { ok: false, excess: `a number that is not kept: ${where}${changedNumberFault(changed.literal)}` }
  } catch {
    return { ok: false, excess: null }
  }
}
