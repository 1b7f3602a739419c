import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { isBlank, isJsonObject, parseJson, propertyOf } from '@troupe/contract'
import { MAX_STATE_BYTES, type StatePart, type StepState, TROUPE } from '../ports/step-state.ts'

/** Maximum depth of kept metadata, and maximum number of values in all of a step. */
const MAX_DEPTH = 32
const MAX_VALUES = 20_000

type Metadata = SharedV4ProviderMetadata

/** A part during streaming; its text is complete at its end. */
interface OpenPart {
  type: 'text' | 'reasoning'
  text: string
  metadata?: Metadata
}

type RecordedPart = OpenPart | Exclude<StatePart, { type: 'text' | 'reasoning' }>

/**
 * Whether a text with this metadata is part of the answer. A phase (OpenAI) other than the final answer is commentary,
 * and a text with its own type (Anthropic's compaction) is the provider's state. Unknown phases and types are no
 * answer.
 */
export function isAnswerText(metadata: Metadata | undefined): boolean {
  return Object.values(metadata ?? {}).every((values) => {
    const { phase, type } = values
    return (phase === undefined || phase === null || phase === 'final_answer') && type === undefined
  })
}

/**
 * Whether a text that is not the answer is commentary, which is shown beside it; other texts are state, and never
 * shown.
 */
export function isCommentary(metadata: Metadata | undefined): boolean {
  return Object.values(metadata ?? {}).every(({ type }) => type === undefined)
}

/** Reasoning that the chain has extracted from a text: the provider did not send it as reasoning. */
function isUnmarkedThought(part: LanguageModelV4StreamPart): boolean {
  return 'providerMetadata' in part && propertyOf(part.providerMetadata?.[TROUPE], 'unmarked') === true
}

function merged(before: Metadata | undefined, more: Metadata | undefined): Metadata | undefined {
  if (!more) return before
  const all: Metadata = { ...before }
  for (const [provider, values] of Object.entries(more)) all[provider] = { ...all[provider], ...values }
  return all
}

function parsed(text: string): unknown {
  const read = parseJson(text, undefined, 'text')
  return read.ok ? read.value : text
}

/**
 * Records the parts of a step, in order, with the metadata of their provider. A step whose parts exceed the budget has
 * no state.
 */
export class StepRecorder {
  readonly #parts: RecordedPart[] = []
  readonly #open = new Map<string, OpenPart>()
  #bytes = 0
  #values = 0
  #calls = 0
  #isTooLarge = false

  /** The metadata so far of the text or reasoning with this id. */
  metadataOf(type: OpenPart['type'], id: string): Metadata | undefined {
    return this.#open.get(`${type} ${id}`)?.metadata
  }

  add(part: LanguageModelV4StreamPart): void {
    if (isUnmarkedThought(part)) return
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        this.#note('text', part.id, '', part.providerMetadata, part.type === 'text-start')
        break
      case 'text-delta':
        this.#note('text', part.id, part.delta, part.providerMetadata)
        break
      case 'reasoning-start':
      case 'reasoning-end':
        this.#note('reasoning', part.id, '', part.providerMetadata, part.type === 'reasoning-start')
        break
      case 'reasoning-delta':
        this.#note('reasoning', part.id, part.delta, part.providerMetadata)
        break
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input, providerExecuted } = part
        this.#count(id.length + (providerExecuted ? input.length : 0))
        const metadata = this.#checked(part.providerMetadata)
        const more = metadata && { metadata }
        if (providerExecuted) this.#parts.push({ type: 'own-call', id, name, input: parsed(input), ...more })
        else this.#parts.push({ type: 'call', index: this.#calls++, id, ...more })
        break
      }
      case 'tool-result': {
        if (part.preliminary) break
        const { toolCallId: id, toolName: name, result: value, isError = false } = part
        this.#measure(value, 0)
        const metadata = this.#checked(part.providerMetadata)
        this.#parts.push({ type: 'own-result', id, name, value, isError, ...(metadata && { metadata }) })
        break
      }
      case 'custom': {
        const metadata = this.#checked(part.providerMetadata)
        this.#parts.push({ type: 'custom', kind: part.kind, ...(metadata && { metadata }) })
        break
      }
      default:
        break
    }
  }

  /**
   * The state of the step. null if its provider needs only the text back, if the provider is unknown, and if the parts
   * exceed the budget.
   *
   * @param finish the metadata of the chain's `finish` part
   */
  state(finish: Metadata | undefined): StepState | null {
    const origin = propertyOf(finish?.[TROUPE], 'origin')
    if (typeof origin !== 'string' || this.#isTooLarge) return null
    const texts = this.#parts.filter(({ type }) => type === 'text')
    const parts = this.#parts.flatMap((part): StatePart[] => {
      if (part.type === 'reasoning') return part.text === '' && !part.metadata ? [] : [part]
      if (part.type !== 'text') return [part]
      const { text, metadata } = part
      if (isBlank(text) && !metadata) return []
      const more = metadata && { metadata }
      if (!isAnswerText(metadata)) return [{ type: 'text', text, hidden: true, ...more }]
      return [texts.length === 1 ? { type: 'text', ...more } : { type: 'text', text, ...more }]
    })
    const isPlain = parts.every(({ type, metadata }) => type === 'text' && !metadata)
    return isPlain ? null : { origin, parts }
  }

  #note(type: OpenPart['type'], id: string, delta: string, given?: Metadata, isNew = false): void {
    const key = `${type} ${id}`
    const known = isNew ? undefined : this.#open.get(key)
    const part = known ?? { type, text: '' }
    if (!known) {
      this.#open.set(key, part)
      this.#parts.push(part)
    }
    this.#count(Buffer.byteLength(delta))
    part.text += delta
    const metadata = merged(part.metadata, this.#checked(given))
    if (metadata) part.metadata = metadata
  }

  #checked(metadata: Metadata | undefined): Metadata | undefined {
    if (!metadata) return undefined
    this.#measure(metadata, 0)
    return this.#isTooLarge ? undefined : metadata
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > MAX_STATE_BYTES) this.#isTooLarge = true
  }

  /** Counts a value before anything else walks it. */
  #measure(value: unknown, depth: number): void {
    this.#values += 1
    if (this.#values > MAX_VALUES || depth > MAX_DEPTH) this.#isTooLarge = true
    if (this.#isTooLarge) return
    if (typeof value === 'string') this.#count(Buffer.byteLength(value))
    else if (Array.isArray(value)) for (const member of value) this.#measure(member, depth + 1)
    else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        this.#count(name.length)
        this.#measure(member, depth + 1)
      }
    }
  }
}
