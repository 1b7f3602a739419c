import type { AgentId } from '@troupe/contract'
import type { NewRunMessage, StoredToolCall } from '../ports/run-store.ts'
import type { StepState } from '../ports/step-state.ts'

/** The author of a message: an agent, or the managed lead of a team (no id). */
export interface Author {
  agentId: AgentId | null
  name: string
}

/** The parts of a model's step besides its text. */
interface StepParts {
  calls?: readonly StoredToolCall[]
  /** Provider state to send back with it. */
  state?: StepState | null
}

/** The outcome of a call, and when it began if it was executed. */
export type CallClosing = Required<Pick<StoredToolCall, 'status'>> & Pick<StoredToolCall, 'ms' | 'startedAt'>

/** Replaces an answer that a guardrail has changed. */
const REPLACED = '[redacted]'
const PLAIN = { toolCalls: null, toolCallId: null, toolName: null, isError: null }

/**
 * The messages of one run in chronological order, as `include_messages` shows and history replays them. All
 * timestamps of a root run and its members are distinct, so that sorting by them puts every cause before its
 * effect.
 */
export class Transcript {
  readonly messages: NewRunMessage[] = []
  readonly #newest: { time: number }

  constructor(newest = { time: Number.NEGATIVE_INFINITY }) {
    this.#newest = newest
  }

  /** The transcript of a member of this root run. */
  ofMember(): Transcript {
    return new Transcript(this.#newest)
  }

  #add(message: Omit<NewRunMessage, 'idx'>): void {
    const createdAt = Math.max(message.createdAt, this.#newest.time + 1)
    this.#newest.time = createdAt
    this.messages.push({ idx: this.messages.length, ...message, createdAt })
  }

  /** Times are in milliseconds since the epoch. */
  user(content: string, createdAt: number): void {
    this.#add({ ...PLAIN, role: 'user', content, agentId: null, agentName: null, createdAt })
  }

  /** The user message after guardrails. */
  replaceUser(content: string): void {
    const at = this.messages.findIndex(({ role }) => role === 'user')
    const message = this.messages[at]
    if (message) this.messages[at] = { ...message, content }
  }

  /**
   * Replaces every text of the answer, drafts included: guardrails have changed the last one. No state of the run is
   * sent back to providers, because reasoning may repeat the removed text.
   */
  replaceAnswer(author: Author, content: string, createdAt: number): void {
    for (const [at, message] of this.messages.entries()) {
      const isText = message.role === 'assistant' && message.toolCalls === null
      this.messages[at] = { ...message, ...(isText && { content: REPLACED }), state: null }
    }
    this.assistant(author, content, {}, createdAt)
  }

  /** Without calls and without text there is no message. */
  assistant(
    author: Author,
    content: string,
    { calls: toolCalls = [], state = null }: StepParts,
    createdAt: number,
  ): void {
    if (content === '' && toolCalls.length === 0) return
    this.#add({
      ...PLAIN,
      role: 'assistant',
      content: content === '' ? null : content,
      toolCalls: toolCalls.length === 0 ? null : toolCalls,
      state,
      agentId: author.agentId,
      agentName: author.name,
      createdAt,
    })
  }

  tool(
    author: Author,
    call: StoredToolCall,
    { text, ...outcome }: CallClosing & { text: string },
    createdAt: number,
  ): void {
    this.#close(call.id, outcome)
    this.#add({
      role: 'tool',
      content: text,
      toolCalls: null,
      toolCallId: call.id,
      toolName: call.name,
      isError: outcome.status !== 'ok',
      agentId: author.agentId,
      agentName: author.name,
      createdAt,
    })
  }

  /** Writes the outcome of a call into the newest message with a call of this id. */
  #close(id: string, outcome: CallClosing): void {
    const at = this.messages.findLastIndex(({ toolCalls }) => toolCalls?.some((call) => call.id === id))
    const message = this.messages[at]
    if (!message?.toolCalls) return
    const toolCalls = message.toolCalls.map((call) => (call.id === id ? { ...call, ...outcome } : call))
    this.messages[at] = { ...message, toolCalls }
  }

  /** Adds a result for every unanswered call, so that the history stays valid for every provider. */
  closeOpenCalls(createdAt: number): void {
    const answered = new Set(this.messages.map((message) => message.toolCallId))
    for (const message of [...this.messages]) {
      const author = { agentId: message.agentId, name: message.agentName ?? '' }
      for (const call of message.toolCalls ?? []) {
        if (answered.has(call.id)) continue
        this.tool(author, call, { text: '{"error":{"code":"cancelled"}}', status: 'error' }, createdAt)
      }
    }
  }
}
