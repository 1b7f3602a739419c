import type { ToolOutcome } from '@troupe/agents/ports'

/** A request of a tool before its credential. */
export interface ToolRequest {
  method: string
  url: URL
  headers: Headers
  /** null without a body. */
  body: string | Uint8Array | null
}

/** A request, or why it cannot be built from the arguments and the context. */
export type BuiltRequest =
  | { ok: true; request: ToolRequest }
  | { ok: false; outcome: Extract<ToolOutcome, { ok: false }> }
