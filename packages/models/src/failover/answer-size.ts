import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** Maximum characters of an answer's text, and of its reasoning: more than any current model outputs. */
export const MAX_ANSWER = 1024 * 1024
/** Maximum characters of the arguments of one tool call. */
export const MAX_TOOL_INPUT = 256 * 1024
/** Maximum tool calls of one answer. */
export const MAX_TOOL_CALLS = 128
/** Maximum length of the tool name and of the id in a tool call. */
const MAX_TOOL_NAME = 1_000

const TOO_LONG_INPUT = 'the arguments of a tool call have too many characters'

/** An answer exceeded the size limits. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

function within(size: number, maximum: number, what: string): number {
  if (size <= maximum) return size
  throw new AnswerTooLarge(`${what}, more than ${maximum}`)
}

/**
 * Measures an answer while it is streamed. Answers are stored, passed to other models and parsed, so they are limited
 * like request bodies.
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
        // Providers that do not stream arguments send only the complete call.
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
