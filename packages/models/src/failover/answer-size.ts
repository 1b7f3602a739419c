import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** Most characters of one answer: its text and its reasoning, each. Longer than any model writes today. */
export const MAX_ANSWER = 1024 * 1024
/** Most characters of the arguments of one tool call. */
export const MAX_TOOL_INPUT = 256 * 1024
/** Most tool calls of one answer. */
export const MAX_TOOL_CALLS = 128
/** Longest name that a model may give to a tool, and longest id of a call. */
const MAX_TOOL_NAME = 1_000

const TOO_LONG_INPUT = 'the arguments of a tool call have too many characters'

/** A model wrote more than an answer may have. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

function within(size: number, maximum: number, what: string): number {
  if (size <= maximum) return size
  throw new AnswerTooLarge(`${what}, more than ${maximum}`)
}

/**
 * Counts an answer while it comes. What a model writes is stored, shown to other models and parsed, so it has limits like
 * the body of a request.
 */
export class AnswerSize {
  #text = 0
  #reasoning = 0
  #toolCalls = 0
  readonly #toolInputs = new Map<string, number>()

  /** @throws {@link AnswerTooLarge} */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        this.#text = within(this.#text + part.delta.length, MAX_ANSWER, 'the text has too many characters')
        break
      case 'reasoning-delta':
        this.#reasoning = within(
          this.#reasoning + part.delta.length,
          MAX_ANSWER,
          'the reasoning has too many characters',
        )
        break
      case 'tool-input-delta':
        this.#addToolInput(part.id, part.delta.length)
        break
      case 'tool-input-start':
        this.#startTool(part.id, part.toolName)
        break
      case 'tool-call':
        within(part.input.length, MAX_TOOL_INPUT, TOO_LONG_INPUT)
        // Providers that do not stream the arguments give the call alone.
        if (!this.#toolInputs.has(part.toolCallId)) this.#startTool(part.toolCallId, part.toolName)
        break
      default:
        break
    }
  }

  #startTool(id: string, name: string): void {
    within(id.length + name.length, MAX_TOOL_NAME, 'the name of a tool has too many characters')
    this.#toolCalls = within(this.#toolCalls + 1, MAX_TOOL_CALLS, 'the answer has too many tool calls')
    this.#toolInputs.set(id, 0)
  }

  #addToolInput(id: string, length: number): void {
    const size = (this.#toolInputs.get(id) ?? 0) + length
    this.#toolInputs.set(id, within(size, MAX_TOOL_INPUT, TOO_LONG_INPUT))
  }
}
