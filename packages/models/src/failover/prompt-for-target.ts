import { hash } from 'node:crypto'
import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ModelTarget } from '@troupe/agents/ports'
import { TROUPE } from '@troupe/agents/ports'
import { isBlank, propertyOf } from '@troupe/contract'
import { needsReasoningField, withReasoningField } from './reasoning-field.ts'
import { originOf } from './state-origin.ts'

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type AssistantPart = AssistantMessage['content'][number]
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>
type Options = SharedV4ProviderOptions | undefined

/** Replaces texts without visible characters: Anthropic, Bedrock and others refuse blank texts. */
const NO_MESSAGE = '(empty message)'
const NO_TEXT = '(no text)'
const NO_RESULT = '(no output)'

/** A prompt in the form for one target. */
export interface TargetPrompt {
  prompt: LanguageModelV4Prompt
  /** Whether tools were called, after the last message of the user, in steps of other providers. */
  hasForeignCalls: boolean
}

const markOf = (options: Options, name: string): unknown => propertyOf(options?.[TROUPE], name)

function unmarked<T extends { providerOptions?: SharedV4ProviderOptions }>(part: T): T {
  if (part.providerOptions?.[TROUPE] === undefined) return part
  const { providerOptions, ...rest } = part
  const { [TROUPE]: _, ...options } = providerOptions
  return (Object.keys(options).length === 0 ? rest : { ...rest, providerOptions: options }) as T
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Mistral requires ids of exactly nine letters and digits, and every other provider accepts those too. */
const ID_LENGTH = 9

/** A new id for a call whose own id cannot be sent: another provider made it, or it is already used. Equal names have equal ids. */
function plainId(name: string, taken: ReadonlySet<string>): string {
  for (let again = 0; ; again += 1) {
    const digest = hash('sha256', `${name} ${again}`, 'buffer')
    let id = ''
    for (const byte of digest.subarray(0, ID_LENGTH)) id += LETTERS[byte % LETTERS.length]
    if (!taken.has(id)) return id
  }
}

/** The ids of calls on the wire, each used once: providers refuse a prompt in which two calls have one. */
class WireIds {
  readonly #taken = new Set<string>()
  readonly #calls = new Map<string, { id: string; providerOptions: Options }>()

  call(part: CallPart): CallPart {
    const own = markOf(part.providerOptions, 'id')
    const isFree = typeof own === 'string' && own !== '' && !this.#taken.has(own)
    const id = isFree ? own : plainId(part.toolCallId, this.#taken)
    const sent = { ...unmarked(part), toolCallId: id }
    this.#taken.add(id)
    this.#calls.set(part.toolCallId, { id, providerOptions: sent.providerOptions })
    return sent
  }

  /** The wire id of the newest call of this name, with its provider's metadata. */
  of(name: string): { id: string; providerOptions: Options } {
    return this.#calls.get(name) ?? { id: plainId(name, this.#taken), providerOptions: undefined }
  }
}

/**
 * The parts for their own provider. Of the blank texts, only those with a signature are kept (Gemini). Thoughts at the
 * end, with no content after them, are dropped, because Anthropic and OpenAI refuse them.
 */
function ownParts(content: AssistantMessage['content'], keepsBlank: boolean): AssistantPart[] {
  const last = content.findLastIndex(({ type }) => type !== 'reasoning')
  return content.slice(0, last + 1).filter((part) => {
    if (part.type !== 'text' || !isBlank(part.text)) return true
    return keepsBlank && part.providerOptions !== undefined
  })
}

/** The parts for any other provider: only texts and calls. */
function plainParts(content: AssistantMessage['content']): AssistantPart[] {
  return content.flatMap((part): AssistantPart[] => {
    if (part.type === 'text') {
      if (isBlank(part.text) || markOf(part.providerOptions, 'hidden') === true) return []
      return [{ type: 'text', text: part.text }]
    }
    if (part.type !== 'tool-call' || part.providerExecuted) return []
    const { toolCallId, toolName, input } = part
    return [{ type: 'tool-call', toolCallId, toolName, input }]
  })
}

/** Whether a prompt has steps of this target. */
export function hasOwnState(target: ModelTarget, prompt: LanguageModelV4Prompt): boolean {
  const origin = originOf(target)
  return prompt.some(
    ({ role, providerOptions }) => role === 'assistant' && markOf(providerOptions, 'origin') === origin,
  )
}

/**
 * The prompt in the form for a target: steps with their state for their own provider and without it for every other,
 * ids of calls that it accepts, and no blank text.
 *
 * @param withState false: as if every step came from another provider
 */
export function promptFor(
  target: ModelTarget,
  prompt: LanguageModelV4Prompt,
  withState = true,
): TargetPrompt {
  const origin = originOf(target)
  const keepsBlank = target.connection.providerId === 'google'
  const ids = new WireIds()
  let hasForeignCalls = false
  const sent = prompt.flatMap((message): LanguageModelV4Prompt => {
    switch (message.role) {
      case 'system':
        return isBlank(message.content) ? [] : [message]
      case 'user': {
        hasForeignCalls = false
        const content = message.content.filter((part) => part.type !== 'text' || !isBlank(part.text))
        if (content.length > 0) return [{ ...message, content }]
        return [{ ...message, content: [{ type: 'text', text: NO_MESSAGE }] }]
      }
      case 'assistant': {
        const isOwn = withState && markOf(message.providerOptions, 'origin') === origin
        const parts = isOwn ? ownParts(message.content, keepsBlank) : plainParts(message.content)
        hasForeignCalls ||= !isOwn && parts.some(({ type }) => type === 'tool-call')
        const content = parts.map((part) =>
          part.type === 'tool-call' && !part.providerExecuted ? ids.call(part) : unmarked(part),
        )
        const isSaid = content.some(({ type }) => type === 'text' || type === 'tool-call')
        if (!isSaid) content.push({ type: 'text', text: NO_TEXT })
        const { providerOptions, ...rest } = unmarked(message)
        return [{ ...rest, ...(isOwn && providerOptions && { providerOptions }), content }]
      }
      case 'tool': {
        const content = message.content.map((part) => {
          if (part.type !== 'tool-result') return part
          const { id, providerOptions } = ids.of(part.toolCallId)
          const isEmpty = part.output.type === 'text' && isBlank(part.output.value)
          const output = isEmpty ? { type: 'text' as const, value: NO_RESULT } : part.output
          return { ...part, toolCallId: id, output, ...(providerOptions && { providerOptions }) }
        })
        return [{ ...unmarked(message), content }]
      }
      default:
        return message satisfies never
    }
  })
  const asked = needsReasoningField(target, sent) ? withReasoningField(sent) : sent
  return { prompt: asked, hasForeignCalls }
}
