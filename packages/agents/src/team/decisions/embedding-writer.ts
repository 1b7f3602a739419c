import type { ContentSource } from '../../run/content-source.ts'
import { type Channel, MessageWriter } from '../../run/message-writer.ts'
import type { RunOutput } from '../../run/run-context.ts'

const REFERENCE = /^[ \t]*\[\[result:([^\]\n]{1,100})\]\][ \t]*$/
/** Longer lines that start with brackets cannot be references and are no longer held back. */
const LONGEST_REFERENCE = 200
/** The ids of delegations, which a lead writes only to embed a result. */
const OWN_ID = /^call_\d+_\d+$/
const FENCE = /^[ \t]*(?:```|~~~)/

/**
 * Writes a lead's text with references replaced by members' results: a line that is exactly `[[result:<id>]]` becomes
 * that member's text, verbatim. Text is held back only while its line may still become a reference. A line that refers
 * to no result is omitted and noted in the trace; within a block of code it is text.
 */
export class EmbeddingWriter extends MessageWriter {
  readonly #results: (name: string) => string | null
  readonly #hasReports: () => boolean
  readonly #note: (text: string) => void
  /** The current line while it may still be a reference; null inside any other line. */
  #line: string | null = ''
  /** The start of the current line, as far as needed to detect a fence. */
  #head = ''
  #isInCode = false

  /**
   * `results` gives the text of a result by its id or another name, null for an unknown one. Before anything has been
   * reported only ids are references.
   */
  constructor(
    output: RunOutput,
    source: ContentSource,
    channel: Channel,
    results: (name: string) => string | null,
    hasReports: () => boolean = () => true,
  ) {
    super(output, source, channel)
    this.#results = results
    this.#hasReports = hasReports
    this.#note = (text) => new MessageWriter(output, source, 'trace').append(text)
  }

  override append(delta: string): void {
    let rest = delta
    while (rest !== '') {
      const newline = rest.indexOf('\n')
      const part = newline === -1 ? rest : rest.slice(0, newline)
      this.#add(part)
      if (newline === -1) return
      this.#endLine('\n')
      rest = rest.slice(newline + 1)
    }
  }

  override finish(): void {
    this.#endLine('')
  }

  override reset(reason: Parameters<MessageWriter['reset']>[0]): void {
    this.#line = ''
    this.#head = ''
    this.#isInCode = false
    super.reset(reason)
  }

  #add(part: string): void {
    if (this.#head.length < LONGEST_REFERENCE) this.#head += part.slice(0, LONGEST_REFERENCE)
    if (this.#line === null) {
      super.append(part)
      return
    }
    this.#line += part
    const begins = this.#line.trimStart().slice(0, 2)
    const mayRefer = '[['.startsWith(begins) && this.#line.length <= LONGEST_REFERENCE
    if (mayRefer) return
    super.append(this.#line)
    this.#line = null
  }

  #endLine(ending: string): void {
    const line = this.#line ?? ''
    const name = REFERENCE.exec(line)?.[1]?.trim()
    const result = name === undefined ? null : this.#results(name)
    if (name !== undefined && result === null && this.#isMeant(name)) {
      this.#note(`The answer referred to the result "${name}", which does not exist: the line was omitted.`)
    } else {
      super.append(result ?? line)
      super.append(ending)
    }
    if (FENCE.test(this.#head)) this.#isInCode = !this.#isInCode
    this.#line = ''
    this.#head = ''
  }

  /** Whether a line in the form of a reference is meant as one, rather than as text about references. */
  #isMeant(name: string): boolean {
    return !this.#isInCode && (this.#hasReports() || OWN_ID.test(name))
  }
}
