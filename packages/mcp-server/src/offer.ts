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
  /** Tells the client what happens now; does nothing unless it asked for progress. */
  progress(message: string): void
}

/** What a call came to. */
export type McpOutcome =
  | { kind: 'answered'; text: string; isError: boolean; meta: Record<string, unknown> }
  | { kind: 'unknown_tool' }

/** What one caller may use. */
export interface McpOffer {
  tools(): Promise<McpTool[]>
  /** Rejects only for defects, whose texts the client does not see. */
  call(call: McpCall): Promise<McpOutcome>
}
