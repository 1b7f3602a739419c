import type { ToolContextBox } from '../ports/tool-context-box.ts'

/** A box that encrypts nothing. */
export const PLAIN_TOOL_CONTEXTS: ToolContextBox = {
  seal: (_runId, context) => JSON.stringify(context),
  open: (_runId, sealed) => JSON.parse(sealed),
}
