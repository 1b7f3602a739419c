import { fieldPath } from '../errors/field-path.ts'

/** What one JSON text may have. A text that has more is not parsed. */
export interface JsonBudget {
  /** UTF-16 code units of the whole text. */
  characters: number
  /** Levels of arrays and objects; a scalar has none. */
  levels: number
  /** Every scalar, array, object and member, the root included. */
  values: number
  /** Of one key, as it is written. */
  keyCharacters: number
}

/** For bodies, answers and everything else that has no narrower budget of its own. */
export const JSON_BUDGET: Readonly<JsonBudget> = {
  characters: 1024 * 1024,
  // Deeper values could overflow the stack of later recursions, such as `JSON.stringify` and PostgreSQL's parser.
  levels: 64,
  values: 100_000,
  keyCharacters: 10_000,
}

/** What a JSON text has too much of. */
export interface JsonExcess {
  /** In words: `more than 64 levels`. */
  words: string
  /** The path of the value or key that has it; empty for the text as a whole. */
  path: string
}

/** The value of a text, or why it has none: `more than 64 levels`, for example; null when it is not JSON. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; excess: string | null }

/** More of a key is not shown in a path. */
const MAX_SHOWN_KEY = 200

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isOpener = (code: number) => code === 0x5b || code === 0x7b
const isCloser = (code: number) => code === 0x5d || code === 0x7d

/** The index of the quote that ends the string which begins at `start`; the length of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    // An even number of backslashes are escaped backslashes, and the quote is none.
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** The path of the value at an index, for messages. Reads the text once more, so it is for the one that is refused. */
function pathAt(text: string, index: number): string {
  const steps: (string | number)[] = []
  let last = ''
  for (let at = 0; at < index; at += 1) {
    const code = text.charCodeAt(at)
    const step = steps.at(-1)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      last = text.slice(at + 1, Math.min(end, at + MAX_SHOWN_KEY))
      at = end
    } else if (code === COLON) steps[steps.length - 1] = last
    else if (code === COMMA && typeof step === 'number') steps[steps.length - 1] = step + 1
    else if (isOpener(code)) steps.push(0)
    else if (isCloser(code)) steps.pop()
  }
  return steps.reduce<string>((path, step) => fieldPath(path, String(step)), '')
}

/**
 * What a JSON text has more of than its budget; null when it keeps to all of it. One pass over the text, in which nothing is
 * built. Text that is not JSON has any result: the parser refuses it.
 */
export function jsonExcess(text: string, budget: Readonly<JsonBudget> = JSON_BUDGET): JsonExcess | null {
  if (text.length > budget.characters) return excess(`${budget.characters} characters`)
  let levels = 0
  let values = 1
  let previous = 0
  let keyLength = 0
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
    } else if (code === COMMA) {
      values += 1
    } else if (isOpener(code)) {
      levels += 1
      if (levels > budget.levels) return excess(`${budget.levels} levels`, pathAt(text, at))
      // Its first member, which the closer takes back when there is none.
      values += 1
    } else if (isCloser(code)) {
      levels -= 1
      if (isOpener(previous)) values -= 1
    }
    previous = code
  }
  return values > budget.values ? excess(`${budget.values} values`) : null
}

function excess(limit: string, path = ''): JsonExcess {
  return { words: `more than ${limit}`, path }
}

/** Parses JSON from outside within a budget: what exceeds it is refused before anything is built. Never throws. */
export function parseJson(text: string, budget?: Readonly<JsonBudget>): ParsedJson {
  const found = jsonExcess(text, budget)
  if (found !== null) return { ok: false, excess: found.words }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, excess: null }
  }
}
