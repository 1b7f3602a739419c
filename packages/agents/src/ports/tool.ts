import type { Citation, DomainError, KnowledgeChunkId } from '@troupe/contract'

/**
 * A tool's outcome: text for the model, or an error that it can read. The message is written by this program, and is
 * never a stack trace or a provider's wording; `body` is the start of a server's response (at most 2 KB), for the model
 * only.
 */
export type ToolOutcome =
  | { ok: true; text: string; passages?: readonly NumberedPassage[] }
  | { ok: false; code: ToolErrorCode; message: string; body?: string }

/** A passage of a document that the outcome shows under a number, which answers may cite. */
export interface NumberedPassage extends Citation {
  chunkId: KnowledgeChunkId
}

export type ToolErrorCode =
  | 'invalid_arguments'
  | 'incomplete'
  | 'unknown_tool'
  | 'missing_context'
  | 'denied'
  | 'timeout'
  | 'unavailable'
  | `http_${number}`
  | 'repeated'
  | 'unknown_outcome'
  | 'failed'

/** One execution of a tool. */
export interface ToolCall {
  /** A generated id, never the provider's: `call_<step>_<index>`. */
  id: string
  /** Stable within the root run. */
  key: string
  signal: AbortSignal
}

/** The tool calls that a person must approve, and how long they wait. */
export interface ToolApproval {
  timeoutSeconds: number
  /** Recipients of a link by e-mail when a call waits. */
  emails: readonly string[]
  /** Whether a call with these arguments needs it. Must not throw. */
  isNeeded(input: Record<string, unknown>): boolean
}

/** Why no tools can be built from a configuration, and the names to choose from. */
export interface StandIn {
  reason: string
  names: readonly string[]
  /** Set if the configuration was not read because the server is busy: a request for the list of tools must be retried. */
  busy?: DomainError
}

/** A tool that a model may call. */
export interface Tool {
  name: string
  description: string
  /** JSON Schema of the arguments, an object. */
  inputSchema: Record<string, unknown>
  /** Whether a call may be repeated when an earlier one's outcome is unknown. */
  idempotent: boolean
  /**
   * Whether a call may have effects outside its run, so that another agent must not repeat it after this one has
   * failed. Absent: the opposite of `idempotent`.
   */
  acts?: boolean
  /**
   * Whether the tool keeps its own steps in the journal. A resumed job then executes the call again, which
   * replays the committed steps and restores the tool's state.
   */
  rebuildsState: boolean
  /** null: no call needs an approval. */
  approval: ToolApproval | null
  /** null: no time limit for this tool. */
  timeoutMs: number | null
  /** The longest result shown to the model, in UTF-8 bytes. */
  maxResultBytes: number
  /** Set on a substitute for tools that cannot be built; it fails when called. Absent: a real tool. */
  standIn?: StandIn
  /** Why the tool may no longer be called in this run; null if it may. Absent: always callable. */
  refusal?(): string | null
  /** The problem with the arguments, as one sentence; null if they are valid. */
  problemOf(input: Record<string, unknown>): string | null
  /** Must not throw, except for the reason of `signal`. */
  execute(input: Record<string, unknown>, call: ToolCall): Promise<ToolOutcome>
}
