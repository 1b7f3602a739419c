import { randomUUID } from 'node:crypto'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider'
import { newId, PromptId, propertyOf } from '@troupe/contract'
import type { SentMessage, SentPrompt, StoredPrompts } from '../ports/sent-prompt.ts'
import { TROUPE } from '../ports/step-state.ts'
import { toolOutputText } from '../ports/tool-output-text.ts'

/** Maximum UTF-16 units kept of one text, and of all texts of a run. */
const MAX_TEXT = 32 * 1024
const MAX_RUN = 256 * 1024
/** Maximum kept prompts and messages of a run, and names of tools of a prompt. */
const MAX_PROMPTS = 2_000
const MAX_MESSAGES = 10_000
const MAX_TOOLS = 256

/** Replaces a draft of an answer under output rules, which have not checked it. */
const DRAFT = '[an answer that output rules had not checked]'

type Options = Omit<LanguageModelV4CallOptions, 'prompt' | 'abortSignal'>

/** A text within its limit. */
function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text
  const rest = text.length - MAX_TEXT
  return `${text.slice(0, MAX_TEXT).toWellFormed()}\n… (${rest} more characters were sent but not kept)`
}

/** Texts that are provider state are never shown. */
function textOfParts(content: Exclude<LanguageModelV4Message, { role: 'system' }>['content']): string {
  const texts = content.map((part) => {
    if (part.type === 'text')
      return propertyOf(part.providerOptions?.[TROUPE], 'hidden') === true ? '' : part.text
    if (part.type === 'file') return `[file ${part.mediaType}]`
    if (part.type === 'tool-result' && part.output) return toolOutputText(part.output)
    return ''
  })
  return texts.filter((text) => text !== '').join('\n')
}

function sentMessage(message: LanguageModelV4Message): SentMessage {
  if (message.role === 'system') return { role: 'system', text: cut(message.content) }
  const text = cut(textOfParts(message.content))
  const calls = message.content.flatMap((part) =>
    part.type === 'tool-call' && !part.providerExecuted
      ? [{ name: part.toolName, arguments: cut(JSON.stringify(part.input) ?? 'null') }]
      : [],
  )
  return { role: message.role, text, ...(calls.length > 0 && { calls }) }
}

function sizeOf({ text, calls = [] }: SentMessage): number {
  return calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, text.length)
}

function choiceOf({ toolChoice }: Options): string | null {
  if (toolChoice === undefined) return null
  return toolChoice.type === 'tool' ? toolChoice.toolName : toolChoice.type
}

/**
 * The prompts of a run's models, for readers of its trace. Messages are identified by object identity, because each
 * step of a loop sends those of the previous steps again: every message is kept once.
 */
export class PromptLog {
  readonly #series: string = randomUUID()
  readonly #numbers = new Map<LanguageModelV4Message, number>()
  /** The initial messages of each actor's first call; later ones were created in the run. */
  readonly #given = new Map<string, Set<LanguageModelV4Message>>()
  readonly #isKept: boolean
  /** Messages of the whole run, by their numbers. */
  readonly #messages: SentMessage[] = []
  #prompts: SentPrompt[] = []
  #units = 0
  #count = 0
  #part = 0
  /** The number of the first unwritten message. */
  #from = 0

  /** @param isKept whether texts of the run are stored at all */
  constructor(isKept: boolean) {
    this.#isKept = isKept
  }

  /** The id of the prompt of the next call; null if it will not be kept. */
  nextId(): PromptId | null {
    return this.#isKept && this.#count < MAX_PROMPTS ? newId(PromptId) : null
  }

  /**
   * Keeps the prompt of a call. Called once the result of the call may be used: a message blocked by a rule beside the
   * call is not kept.
   *
   * @param actor the caller, whose earlier prompts show which messages were created in this run
   * @param hidesDrafts whether output rules may still change the answer
   */
  keep(
    id: PromptId | null,
    { prompt, options = {} }: { prompt: LanguageModelV4Prompt; options?: Options | undefined },
    { actor, hidesDrafts }: { actor: string; hidesDrafts: boolean },
  ): void {
    if (id === null) return
    this.#count += 1
    const given = this.#given.get(actor) ?? new Set(prompt)
    this.#given.set(actor, given)
    const ranges: [number, number][] = []
    let leftOut = 0
    for (const message of prompt) {
      const number = leftOut > 0 ? null : this.#numberOf(message, hidesDrafts && !given.has(message))
      if (number === null) {
        leftOut += 1
        continue
      }
      const last = ranges.at(-1)
      if (last && last[1] === number) last[1] = number + 1
      else ranges.push([number, number + 1])
    }
    const tools = (options.tools ?? []).slice(0, MAX_TOOLS).map(({ name }) => name)
    const isJson = options.responseFormat?.type === 'json'
    this.#prompts.push({ id, messages: ranges, tools, toolChoice: choiceOf(options), isJson, leftOut })
  }

  /** The unwritten prompts; null if none. {@link PromptLog.giveBack} returns them if the write fails. */
  take(): StoredPrompts | null {
    const taken = this.unwritten
    if (taken === null) return null
    this.#prompts = []
    this.#from = this.#messages.length
    this.#part += 1
    return taken
  }

  /** The result of {@link PromptLog.take} without taking it, for a write that may be repeated; null if none. */
  get unwritten(): StoredPrompts | null {
    if (this.#prompts.length === 0) return null
    return {
      series: this.#series,
      part: this.#part,
      from: this.#from,
      messages: this.#messages.slice(this.#from),
      prompts: this.#prompts,
    }
  }

  /** Later messages may have been written in the meantime: they are written again, so that each part is numbered without a gap. */
  giveBack(taken: StoredPrompts | null): void {
    if (taken === null) return
    this.#prompts = [...taken.prompts, ...this.#prompts]
    this.#from = Math.min(this.#from, taken.from)
  }

  /** The number of a message, which is kept if it is new; null if the run has reached its limit. */
  #numberOf(message: LanguageModelV4Message, isDraft: boolean): number | null {
    const known = this.#numbers.get(message)
    if (known !== undefined) return known
    if (this.#units >= MAX_RUN || this.#numbers.size >= MAX_MESSAGES) return null
    const read = sentMessage(message)
    const isHidden = isDraft && read.role === 'assistant' && read.calls === undefined
    const sent = isHidden ? { ...read, text: DRAFT } : read
    this.#units += sizeOf(sent)
    const number = this.#numbers.size
    this.#numbers.set(message, number)
    this.#messages.push(sent)
    return number
  }
}
