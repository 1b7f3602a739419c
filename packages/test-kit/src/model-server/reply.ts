/** A tool call of a scripted reply. */
export interface ReplyToolCall {
  name: string
  /** Sent as JSON; a string is sent unchanged, so that broken JSON can be scripted. */
  arguments: unknown
  /** `call_<n>` when absent. */
  id?: string
}

/** Token counts of a scripted reply. */
export interface ReplyUsage {
  inputTokens: number
  outputTokens: number
  cachedTokens?: number
  reasoningTokens?: number
}

/** The scripted reply to one chat completion. Every field is optional: `{}` is an empty, successful reply. */
export interface ModelReply {
  text?: string
  /** Number of deltas into which `text` is split; 1 when absent. */
  chunks?: number
  reasoning?: string
  toolCalls?: ReplyToolCall[]
  /** Overrides `stop` or `tool_calls`; null leaves it out. */
  finishReason?: string | null
  /** False ends a stream without `[DONE]`, like a cleanly closed connection. */
  done?: false
  /** 10 in, 5 out when absent; null reports none. */
  usage?: ReplyUsage | null
  /** Responds with this HTTP status and `body` instead of a completion. */
  status?: number
  /** JSON body of an error status; an OpenAI error object when absent. */
  body?: unknown
  headers?: Record<string, string>
  /** Milliseconds before the status line. */
  headersDelayMs?: number
  /** Milliseconds between the headers and the first delta (streams only). */
  firstTokenDelayMs?: number
  /** Milliseconds before every further delta (streams only). */
  paceMs?: number
  /** Destroys the socket after this many content deltas (streams only). */
  breakAfter?: number
  /**
   * Sends an error object as a stream chunk after this many content deltas (0: before any), then the usage if it is given, then ends
   * (streams only).
   */
  error?: { after: number; message: string; code?: string | number; type?: string }
  /** Never completes: `headers` sends nothing at all, `stream` sends headers and every delta, then stays open. */
  hang?: 'headers' | 'stream'
}

/** Usage of a reply without `usage`. */
export const DEFAULT_USAGE: ReplyUsage = { inputTokens: 10, outputTokens: 5 }
