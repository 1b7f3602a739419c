import type { llm } from '@livekit/agents'
import { isJsonObject } from '@troupe/contract'
import type { TranscriptItem, TurnMetrics } from '@troupe/contract/voice-worker'

const BATCH_MS = 250
const RETRY_MS = 1_000
const MOST_ITEMS = 200
/** Time limit for the end of a transcript. A restarting server is back sooner. */
const LAST_MS = 10_000
const LAST_PAUSE_MS = 500

/** Stores items; idempotent. */
export type StoreItems = (items: readonly TranscriptItem[]) => Promise<void>

/** Sends the transcript to the server in batches, with retries. */
export class SentTranscript {
  readonly #store: StoreItems
  readonly #onError: (error: unknown) => void
  #waiting: TranscriptItem[] = []
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> = Promise.resolve()
  #failures = 0

  constructor(store: StoreItems, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  add(message: llm.ChatMessage): void {
    const item = transcriptItem(message)
    if (!item) return
    this.#waiting.push(item)
    this.#timer ??= setTimeout(() => this.#send(), BATCH_MS)
  }

  /** Sends all waiting items, and resolves when the server has them, or was unreachable for ten seconds. */
  async flush(): Promise<void> {
    const until = Date.now() + LAST_MS
    for (;;) {
      const before = this.#failures
      this.#send()
      await this.#sending
      if (this.#waiting.length === 0) return
      if (this.#failures === before) continue
      if (Date.now() + LAST_PAUSE_MS >= until) return
      await new Promise((resolve) => setTimeout(resolve, LAST_PAUSE_MS))
    }
  }

  #send(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    // An interrupted answer is added with its interruption: both come in the same tick, in either order.
    this.#waiting.sort((one, other) => one.createdAt - other.createdAt)
    const items = this.#waiting.splice(0, MOST_ITEMS)
    if (items.length === 0) return
    // One batch at a time, so that the server numbers the items in their order.
    this.#sending = this.#sending.then(async () => {
      try {
        await this.#store(items)
      } catch (error) {
        this.#onError(error)
        this.#failures += 1
        this.#waiting.unshift(...items)
        this.#timer ??= setTimeout(() => this.#send(), RETRY_MS)
      }
    })
  }

  /** Stops sending. */
  [Symbol.dispose](): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** A message as it is stored; null for other roles and for silence. */
export function transcriptItem(message: llm.ChatMessage): TranscriptItem | null {
  const { id, role, interrupted, metrics, createdAt, extra } = message
  const text = message.textContent?.trim() ?? ''
  if ((role !== 'user' && role !== 'assistant') || text === '') return null
  const runId = isJsonObject(extra) && typeof extra.runId === 'string' ? extra.runId : null
  return {
    itemId: id,
    role,
    text,
    interrupted,
    runId,
    metrics: turnMetrics(metrics),
    createdAt: Math.round(createdAt),
  }
}

const MEASURED = [
  'endOfTurnDelay',
  'transcriptionDelay',
  'llmNodeTtft',
  'ttsNodeTtfb',
  'playbackLatency',
  'e2eLatency',
] as const

/** LiveKit measures in seconds. */
function turnMetrics(metrics: llm.ChatMessage['metrics']): TurnMetrics {
  return Object.fromEntries(
    MEASURED.flatMap((name) => {
      const seconds = metrics[name]
      return seconds === undefined || !(seconds >= 0) ? [] : [[name, Math.round(seconds * 1_000)]]
    }),
  )
}
