import { APIError, DEFAULT_API_CONNECT_OPTIONS, llm, log } from '@livekit/agents'
import {
  type TurnAction,
  type TurnLine,
  type TurnRequest,
  VoiceServerError,
} from '@troupe/contract/voice-worker'
import { spokenPhrases } from '../session/spoken-phrases.ts'
import { Filler, type FillerSettings } from './filler.ts'
import { startTurn, type TurnConnection } from './start-turn.ts'
import { TurnNumbers } from './turn-numbers.ts'

/** A chunk with this id requests that everything before it is spoken now; it has no text. */
export const FLUSH_CHUNK = 'flush'

/** The inputs of a session's turns, and their listeners. */
export interface RuntimeOptions {
  connection: TurnConnection
  nextTurnSeq: number
  /** BCP 47. */
  language: string
  filler: FillerSettings
  /** Resolves when callers may be answered; their words wait until then. */
  mayAnswer: Promise<unknown>
  onTurn(): void
  /** An action to execute after all speech of the turn. */
  onAction(action: TurnAction, args: Record<string, unknown>): void
}

/** The server's own runtime as the model of a voice session: it has the agent's tools, knowledge and memory. */
export class RuntimeLlm extends llm.LLM {
  readonly options: RuntimeOptions
  readonly turns: TurnNumbers

  constructor(options: RuntimeOptions) {
    super()
    this.options = options
    this.turns = new TurnNumbers(options.nextTurnSeq)
  }

  override label(): string {
    return 'troupe.runtime'
  }

  override get provider(): string {
    return 'troupe'
  }

  override chat({ chatCtx, toolCtx }: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    return new RuntimeStream(this, chatCtx, toolCtx)
  }
}

class RuntimeStream extends llm.LLMStream {
  readonly #llm: RuntimeLlm

  constructor(owner: RuntimeLlm, chatCtx: llm.ChatContext, toolCtx: llm.ToolContextLike | undefined) {
    // A turn can't be retried once its answer has begun.
    const connOptions = { ...DEFAULT_API_CONNECT_OPTIONS, maxRetry: 0 }
    super(owner, { chatCtx, connOptions, ...(toolCtx && { toolCtx }) })
    this.#llm = owner
  }

  protected override async run(): Promise<void> {
    const message = lastUserMessage(this.chatCtx)
    if (!message) return
    const { connection, language, filler: settings, mayAnswer, onTurn } = this.#llm.options
    const interrupted = new AbortController()
    let isDone = false
    let isTaken = false
    // The stream's own signal fires after every answer, not only when the caller interrupts.
    this.abortController.signal.addEventListener('abort', () => isDone || interrupted.abort())
    await Promise.race([mayAnswer, aborted(interrupted.signal)])
    if (interrupted.signal.aborted) return
    onTurn()
    using filler = new Filler(settings, (phrase) => this.#say(phrase))
    try {
      const turnSeq = this.#llm.turns.numberOf(message.id)
      const kind = message.text.startsWith('[keypad] ') ? 'keypad' : 'message'
      const request: TurnRequest = { turnSeq, text: message.text, language, kind }
      const { runId, lines } = await startTurn(connection, request, interrupted.signal)
      isTaken = true
      this.queue.put({ id: 'run', delta: { role: 'assistant', extra: { runId } } })
      for await (const line of lines) this.#take(line, filler)
    } catch (error) {
      if (interrupted.signal.aborted) return
      // The server and the run were lost. Spoken words remain, and another process takes the next turn.
      if (!isTaken || !(error instanceof VoiceServerError)) throw error
      log().warn({ error }, 'the connection of a turn broke; the caller is asked to repeat')
      this.#say(` ${spokenPhrases(language).repeat}`)
    } finally {
      isDone = true
    }
  }

  #take(line: TurnLine, filler: Filler): void {
    switch (line.t) {
      case 'text':
        filler.heard()
        this.queue.put({ id: 'text', delta: { role: 'assistant', content: line.d } })
        return
      case 'tool':
        if (line.phase === 'finished') filler.toolFinished()
        else {
          filler.toolStarted()
          this.#flush()
        }
        return
      case 'action':
        this.#llm.options.onAction(line.name, line.args)
        return
      case 'usage':
        this.queue.put({ id: 'usage', usage: usageOf(line) })
        return
      case 'done':
        return
      case 'error':
        // A user cancelled the run: the conversation continues.
        if (line.code === 'run_cancelled') return
        throw new APIError(`${line.code}: ${line.message}`, { retryable: false })
      default:
        line satisfies never
    }
  }

  #say(phrase: string): void {
    this.queue.put({ id: 'filler', delta: { role: 'assistant', content: `${phrase} ` } })
    this.#flush()
  }

  #flush(): void {
    this.queue.put({ id: FLUSH_CHUNK })
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function usageOf({
  inputTokens,
  outputTokens,
}: {
  inputTokens: number
  outputTokens: number
}): llm.CompletionUsage {
  return {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    promptCachedTokens: 0,
    totalTokens: inputTokens + outputTokens,
  }
}

function lastUserMessage(context: llm.ChatContext): { id: string; text: string } | null {
  const item = context.items.findLast((one) => one.type === 'message' && one.role === 'user')
  const text = item?.type === 'message' ? item.textContent?.trim() : null
  return item && text ? { id: item.id, text } : null
}
