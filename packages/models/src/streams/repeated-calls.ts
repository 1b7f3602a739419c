import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { canonicalJson, parseJson } from '@troupe/contract'

/** Separates an id from the number of its repetition. No provider has a control character in an id. */
const MARK = '\u001f'
/** Maximum ids to compare in one answer. */
const MAX_CALLS = 256

/** The id for a further call with the same id, because the package would otherwise invent one. */
export function repeatedId(id: string, number: number): string {
  return `${id}${MARK}${number}`
}

/** The arguments in a canonical form, so that the order of keys and white space make no difference. */
function argumentsOf(input: string): string {
  const read = parseJson(input, undefined, 'text')
  return read.ok ? canonicalJson(read.value) : input
}

/**
 * Leaves out repeated calls of a provider: the same tool with the same arguments under the same id. Different calls
 * with one id are kept. Calls that the provider executes itself are unchanged.
 */
export class RepeatedCalls {
  /** The calls under each id. */
  readonly #calls = new Map<string, Set<string>>()
  readonly #onRepeated: (toolName: string) => void

  /** @param onRepeated called for each call that is omitted */
  constructor(onRepeated: (toolName: string) => void) {
    this.#onRepeated = onRepeated
  }

  /** The part, under its provider's id; null for a repeated call. */
  read(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart | null {
    if (part.type !== 'tool-call' || part.providerExecuted) return part
    const at = part.toolCallId.lastIndexOf(MARK)
    const call = at === -1 ? part : { ...part, toolCallId: part.toolCallId.slice(0, at) }
    const said = `${call.toolName}\n${argumentsOf(call.input)}`
    const earlier = this.#calls.get(call.toolCallId) ?? new Set()
    if (earlier.has(said)) {
      this.#onRepeated(call.toolName)
      return null
    }
    earlier.add(said)
    if (this.#calls.size < MAX_CALLS) this.#calls.set(call.toolCallId, earlier)
    return call
  }
}
