/** What a tool gave: text for the model, or an error that it can read. Never a stack, never a provider's wording. */
export type ToolOutcome = { ok: true; text: string } | { ok: false; code: ToolErrorCode; message: string }

export type ToolErrorCode =
  | 'invalid_arguments'
  | 'unknown_tool'
  | 'missing_context'
  | 'denied'
  | 'timeout'
  | 'unavailable'
  | `http_${number}`
  | 'repeated'
  | 'interrupted'
  | 'failed'

/** One execution of a tool. */
export interface ToolCall {
  /** Ours, never the provider's: `call_<step>_<index>`. */
  id: string
  /** Stable within the root run. */
  key: string
  signal: AbortSignal
}

/** A tool that a model may call. */
export interface Tool {
  name: string
  description: string
  /** JSON Schema of the arguments, an object. */
  inputSchema: Record<string, unknown>
  /** Whether a call may be repeated when nobody knows how an earlier one ended. */
  idempotent: boolean
  /**
   * Whether the tool keeps its own steps in the journal: then a resumed job executes the call again, which repeats nothing
   * and brings the tool's state back.
   */
  rebuildsState: boolean
  /** null: no limit of its own. */
  timeoutMs: number | null
  /** The longest result that the model is shown, in UTF-8 bytes. */
  maxResultBytes: number
  /** What is wrong with the arguments, as one sentence; null when nothing is. */
  problemOf(input: Record<string, unknown>): string | null
  /** Must not throw, except for the reason of `signal`. */
  execute(input: Record<string, unknown>, call: ToolCall): Promise<ToolOutcome>
}
