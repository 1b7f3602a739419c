import type { ContentSource } from '../../run/content-source.ts'
import { type Channel, MessageWriter } from '../../run/message-writer.ts'
import type { RunContext } from '../../run/run-context.ts'

const REFERENCE = /^\[\[result:([A-Za-z0-9_]+)\]\][ \t]*$/
/** Longer lines that start with brackets cannot be references and are no longer held back. */
const LONGEST_REFERENCE = 200

/**
 * Writes a lead's text with references replaced by members' results: a line that is exactly `[[result:<id>]]`
 * becomes that member's text, verbatim. Text is held back only while its line may still become a reference.
 * An unknown id is left as text.
 */
export class EmbeddingWriter extends MessageWriter {
  readonly #results: (id: string) => string | null
  /** The current line while it may be a reference; null inside any other line. */
  #line: string | null = ''

  constructor(
    ctx: RunContext,
    source: ContentSource,
    channel: Channel,
    results: (id: string) => string | null,
  ) {
    super(ctx, source, channel)
    this.#results = results
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
    super.reset(reason)
  }

  #add(part: string): void {
    if (this.#line === null) {
      super.append(part)
      return
    }
    this.#line += part
    const mayRefer = '[['.startsWith(this.#line.slice(0, 2)) && this.#line.length <= LONGEST_REFERENCE
    if (mayRefer) return
    super.append(this.#line)
    this.#line = null
  }

  #endLine(ending: string): void {
    const line = this.#line ?? ''
    const id = REFERENCE.exec(line)?.[1]
    super.append((id === undefined ? null : this.#results(id)) ?? line)
    super.append(ending)
    this.#line = ''
  }
}
