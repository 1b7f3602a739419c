import { isJsonObject, parseJson } from '@troupe/contract'

/** A tool call that a message requests. */
export interface AskedTool {
  name: string
  input: Record<string, unknown>
}

/** Maximum tool directives of one text, and maximum malformed ones that are parsed: the rest stays text. */
const MAX_TOOLS = 100
const MAX_MALFORMED = 20
/** Maximum characters of the JSON of a tool. */
const MAX_INPUT = 64 * 1024

const NAME = /([\w.-]{1,200})\s*/y
const CLOSING = /\s*\]\]/y

/**
 * Reads the tool directives of one text. The JSON of a tool may contain `]]`, so it ends at its closing brace. Scanning
 * for that from every opening would be quadratic, so the length and the number of failures are limited.
 */
export class ToolDirectives {
  readonly #text: string
  #malformed = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Adds the tool whose name starts at `from` and returns the index of its `]]`; null when it stays text. */
  read(from: number, tools: AskedTool[]): number | null {
    if (tools.length >= MAX_TOOLS || this.#malformed >= MAX_MALFORMED) return null
    const read = this.#readOne(from)
    if (read === null) {
      this.#malformed += 1
      return null
    }
    tools.push(read.tool)
    return read.end
  }

  #readOne(from: number): { tool: AskedTool; end: number } | null {
    NAME.lastIndex = from
    const name = NAME.exec(this.#text)
    if (name === null) return null
    const start = from + name[0].length
    const stop = this.#text[start] === '{' ? endOfObject(this.#text, start) : start
    CLOSING.lastIndex = stop ?? this.#text.length
    const closing = CLOSING.exec(this.#text)
    const input = closing && stop !== null ? objectIn(this.#text.slice(start, stop) || '{}') : null
    if (closing === null || input === null) return null
    return { tool: { name: name[1] ?? '', input }, end: CLOSING.lastIndex - 2 }
  }
}

/** The index after the object that starts at `start`; null when it does not end within the limit. */
function endOfObject(text: string, start: number): number | null {
  const limit = Math.min(text.length, start + MAX_INPUT)
  let depth = 0
  let inString = false
  for (let at = start; at < limit; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

function objectIn(text: string): Record<string, unknown> | null {
  const parsed = parseJson(text)
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null
}
