/** A tool as clients see it. */
export interface McpTool {
  /** Letters, digits and `_`; at most 64 characters. */
  name: string
  title: string
  description: string
  /** JSON Schema of the type object. */
  inputSchema: { type: 'object'; [keyword: string]: unknown }
}

/** One call of a tool. */
export interface McpCall {
  name: string
  arguments: Record<string, unknown>
  /** Aborts when the client cancels the call or disconnects. */
  signal: AbortSignal
  /** Reports the current activity to the client; does nothing unless it requested progress. */
  progress(message: string): void
}

/** The outcome of a call. */
export type McpOutcome =
  | { kind: 'answered'; text: string; isError: boolean; meta: Record<string, unknown> }
  | { kind: 'unknown_tool' }

/** The tools available to one caller. */
export interface McpOffer {
  tools(): Promise<McpTool[]>
  /** Rejects only for defects, whose texts are not sent to the client. */
  call(call: McpCall): Promise<McpOutcome>
}
