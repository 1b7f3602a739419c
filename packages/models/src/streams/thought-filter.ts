import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { TROUPE } from '@troupe/agents/ports'

type Part = LanguageModelV4StreamPart

/** The marks around thoughts from models whose server does not separate thoughts from the answer. */
const NAMES = ['think', 'thinking', 'reasoning']
const OPENINGS = NAMES.map((name) => `<${name}>`)
const CLOSINGS = NAMES.map((name) => `</${name}>`)
const MARKS = [...OPENINGS, ...CLOSINGS]
const LONGEST = Math.max(...CLOSINGS.map((mark) => mark.length))
const ANY_CLOSING = /<\/(?:think|thinking|reasoning)>/i
const CLOSING_OF = [/<\/think>/i, /<\/thinking>/i, /<\/reasoning>/i]
const ANY_OPENING = /<(?:think|thinking|reasoning)>/i
/** A mark after one of these characters only mentions it. */
const QUOTES = new Set(['`', '"', "'", '“', '‘'])

/** The start of an object, a list, a text or a number in JSON. Thoughts never start like that. */
const JSON_START = /^["[{\d-]/

/** Marks a thought that its provider did not send as one, so that it is not sent back to any provider. */
const UNMARKED = { [TROUPE]: { unmarked: true } }

/** Events of an answer while it is filtered. */
export interface ThoughtEvents {
  /**
   * A mark closed thoughts without an opening mark.
   *
   * @param isVoid whether text has been passed on, which is now void
   */
  onUnopened(isVoid: boolean): void
}

/**
 * The treatment of a text without an opening mark before its end is known: `answer` passes it on, and a closing mark
 * voids it; `held` keeps it back until then; `thoughts` passes it on as reasoning, for models that are known to leave
 * the opening mark out.
 */
export type UnmarkedText = 'answer' | 'held' | 'thoughts'

/**
 * Turns the thoughts in a streamed text into reasoning. An answer may begin with thoughts, marked as
 * `<think>…</think>`; marks further within it are text. Templates such as DeepSeek-R1's write the opening mark into the
 * prompt, so that the answer has the closing one only. Each character is examined a fixed number of times.
 */
export class ThoughtFilter {
  readonly #events: ThoughtEvents
  /** `begin`: nothing but space so far; `inside` thoughts that end with `#closings`; `answer`: after them. */
  #state: 'begin' | 'inside' | 'answer'
  /** Characters that may be the start of a mark. */
  #held = ''
  /** White space before everything else. */
  #space = ''
  #closing = ANY_CLOSING
  /** Thoughts without an opening mark, which are the answer if no mark closes them. */
  #assumed: string[] | null
  /** Text that is held back until it is known to be the answer. */
  #waiting: string[] | null
  /** Whether JSON was requested: a start like JSON is then the answer. */
  readonly #expectsJson: boolean
  /** Whether a closing mark may still end thoughts without an opening mark. */
  #mayBeUnopened = true
  #last = ''
  #textId = '0'
  #isThinking = false
  #thoughts = 0

  constructor(unmarked: UnmarkedText, events: ThoughtEvents, expectsJson = false) {
    this.#events = events
    this.#state = unmarked === 'thoughts' ? 'inside' : 'begin'
    this.#assumed = unmarked === 'thoughts' ? [] : null
    this.#waiting = unmarked === 'held' ? [] : null
    this.#expectsJson = expectsJson
  }

  /** Whether text without thoughts was passed on: this model may answer without any. */
  get hasPlainAnswer(): boolean {
    return this.#state === 'answer' && this.#thoughts === 0
  }

  /** The parts that replace one. `finish` is not passed here: {@link end} comes before it. */
  add(part: Part): Part[] {
    if (part.type === 'text-delta') {
      if (this.#state === 'answer' && !this.#mayBeUnopened) return [part]
      this.#textId = part.id
      return withMetadata(this.#text(part.delta), part)
    }
    // The following parts belong to another text.
    if (part.type === 'text-end') return [...this.#flush(), part]
    return [part]
  }

  /** The rest, at the end of the answer. */
  end(): Part[] {
    const assumed = this.#assumed
    if (this.#state !== 'inside' || assumed === null) return this.#flush()
    const text = assumed.join('') + this.#held
    this.#held = ''
    return [...this.#closeThought(), ...this.#answer(text)]
  }

  #text(delta: string): Part[] {
    const parts: Part[] = []
    let rest = this.#held + delta
    this.#held = ''
    while (rest !== '') {
      const state = this.#state
      if (state === 'begin') rest = this.#begin(rest, parts)
      else if (state === 'inside') rest = this.#inside(rest, parts)
      else rest = this.#after(rest, parts)
    }
    return parts
  }

  #begin(text: string, parts: Part[]): string {
    const start = text.search(/\S/)
    this.#space += start === -1 ? text : text.slice(0, start)
    if (start === -1) return ''
    const rest = text.slice(start)
    const head = rest.slice(0, LONGEST).toLowerCase()
    const opening = OPENINGS.findIndex((mark) => head.startsWith(mark))
    if (opening !== -1) {
      this.#state = 'inside'
      this.#closing = CLOSING_OF[opening] ?? ANY_CLOSING
      this.#mayBeUnopened = false
      this.#space = ''
      return rest.slice(OPENINGS[opening]?.length)
    }
    if (OPENINGS.some((mark) => mark.startsWith(head))) {
      this.#held = rest
      return ''
    }
    this.#state = 'answer'
    if (this.#thoughts > 0 || (this.#expectsJson && JSON_START.test(rest))) parts.push(...this.#release())
    parts.push(...this.#answer(this.#leadingSpace()))
    return rest
  }

  /** Held-back text is the answer, and so is the text after it. */
  #release(): Part[] {
    const waiting = this.#waiting?.join('') ?? ''
    this.#waiting = null
    return this.#answer(waiting)
  }

  /** White space between thoughts and the answer is dropped with the thoughts. */
  #leadingSpace(): string {
    const space = this.#thoughts > 0 ? '' : this.#space
    this.#space = ''
    return space
  }

  #inside(text: string, parts: Part[]): string {
    const found = this.#closing.exec(text)
    if (!found) {
      const kept = text.length - partialMark(text, CLOSINGS)
      this.#held = text.slice(kept)
      this.#think(text.slice(0, kept), parts)
      return ''
    }
    this.#think(text.slice(0, found.index), parts)
    parts.push(...this.#closeThought())
    this.#assumed = null
    this.#mayBeUnopened = false
    this.#thoughts += 1
    this.#state = 'begin'
    return text.slice(found.index + found[0].length)
  }

  #after(text: string, parts: Part[]): string {
    if (!this.#mayBeUnopened) {
      parts.push(...this.#answer(text))
      return ''
    }
    const closing = ANY_CLOSING.exec(text)
    const opening = ANY_OPENING.exec(text)
    // An answer that mentions the opening mark is about marks, so a closing mark does not void it.
    if (opening && (!closing || opening.index < closing.index)) {
      this.#mayBeUnopened = false
      parts.push(...this.#release())
      return text
    }
    if (!closing) {
      const kept = text.length - partialMark(text, MARKS)
      this.#held = text.slice(kept)
      if (kept > 0) parts.push(...this.#answer(text.slice(0, kept)))
      return ''
    }
    const before = closing.index === 0 ? this.#last : (text[closing.index - 1] ?? '')
    this.#mayBeUnopened = false
    if (QUOTES.has(before)) {
      parts.push(...this.#release())
      return text
    }
    const waiting = this.#waiting
    this.#waiting = null
    this.#events.onUnopened(waiting === null)
    if (waiting === null) {
      // All text before it is void, including that of this delta.
      parts.length = 0
      parts.push({ type: 'stream-start', warnings: [] }, { type: 'text-start', id: this.#textId })
    } else {
      this.#think(waiting.join('') + text.slice(0, closing.index), parts)
      parts.push(...this.#closeThought())
    }
    this.#thoughts += 1
    this.#state = 'begin'
    return text.slice(closing.index + closing[0].length)
  }

  #think(text: string, parts: Part[]): void {
    if (text === '') return
    this.#assumed?.push(text)
    const id = `thought-${this.#thoughts}`
    if (!this.#isThinking) parts.push({ type: 'reasoning-start', id, providerMetadata: UNMARKED })
    this.#isThinking = true
    parts.push({ type: 'reasoning-delta', id, delta: text, providerMetadata: UNMARKED })
  }

  #closeThought(): Part[] {
    if (!this.#isThinking) return []
    this.#isThinking = false
    return [{ type: 'reasoning-end', id: `thought-${this.#thoughts}`, providerMetadata: UNMARKED }]
  }

  #answer(delta: string): Part[] {
    if (delta === '') return []
    this.#last = delta.at(-1) ?? ''
    if (this.#waiting !== null) {
      this.#waiting.push(delta)
      return []
    }
    return [{ type: 'text-delta', id: this.#textId, delta }]
  }

  /** Text that was held back as the possible start of a mark. */
  #flush(): Part[] {
    const text = this.#held
    this.#held = ''
    if (this.#state !== 'inside') {
      const whole = this.#leadingSpace() + text
      if (text !== '') this.#state = 'answer'
      return [...this.#release(), ...this.#answer(whole)]
    }
    const parts: Part[] = []
    this.#think(text, parts)
    return [...parts, ...this.#closeThought()]
  }
}

/** The metadata of a delta, such as a signature, goes with its text, even when the text is held back. */
function withMetadata(
  parts: Part[],
  { id, providerMetadata }: Extract<Part, { type: 'text-delta' }>,
): Part[] {
  if (!providerMetadata) return parts
  const at = parts.findIndex(({ type }) => type === 'text-delta')
  if (at === -1) return [...parts, { type: 'text-delta', id, delta: '', providerMetadata }]
  return parts.map((part, index) => (index === at ? { ...part, providerMetadata } : part) as Part)
}

/** The length of a possible start of a mark at the end of the text. */
function partialMark(text: string, marks: readonly string[]): number {
  const from = text.lastIndexOf('<')
  if (from === -1 || text.length - from >= LONGEST) return 0
  const tail = text.slice(from).toLowerCase()
  return marks.some((mark) => mark.startsWith(tail)) ? tail.length : 0
}
