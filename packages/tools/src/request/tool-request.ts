import type { ToolOutcome } from '@troupe/agents/ports'

/** A request of a tool before its credential. */
export interface ToolRequest {
  method: string
  url: URL
  headers: Headers
  /** JSON text; null without a body. */
  body: string | null
}

/** A request, or why the arguments or the context give none. */
export type BuiltRequest =
  | { ok: true; request: ToolRequest }
  | { ok: false; outcome: Extract<ToolOutcome, { ok: false }> }
