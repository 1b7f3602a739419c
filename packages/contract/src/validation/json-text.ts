import { fieldPath } from '../errors/field-path.ts'

/** Longer keys are shortened in paths. */
const MAX_SHOWN_KEY = 200

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
const BACKSLASH = 0x5c

export const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
export const isOpener = (code: number) => code === 0x5b || code === 0x7b
export const isCloser = (code: number) => code === 0x5d || code === 0x7d

/** The index of the closing quote of the string that begins at `start`; the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    // An even number of backslashes are escaped backslashes, so the quote is not escaped.
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** The position in a JSON text that is read from its start. For text that is not JSON, the path is arbitrary. */
export class JsonPlace {
  readonly #steps: (string | number)[] = []
  #last = ''

  /** Reads the character at an index outside strings, or the string that starts there. Returns the index of its end. */
  read(text: string, at: number): number {
    const code = text.charCodeAt(at)
    const steps = this.#steps
    const step = steps.at(-1)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      this.#last = text.slice(at + 1, Math.min(end, at + MAX_SHOWN_KEY))
      return end
    }
    if (code === COLON) steps[steps.length - 1] = this.#last
    else if (code === COMMA && typeof step === 'number') steps[steps.length - 1] = step + 1
    else if (isOpener(code)) steps.push(0)
    else if (isCloser(code)) steps.pop()
    return at
  }

  /** The keys and positions that lead to the value that starts here; changes as more is read. */
  get steps(): readonly (string | number)[] {
    return this.#steps
  }

  /** The path of the value that starts here, for messages; empty for the root. */
  path(): string {
    return this.#steps.reduce<string>((path, step) => fieldPath(path, String(step)), '')
  }
}
