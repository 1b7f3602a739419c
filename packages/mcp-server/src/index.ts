export { answerMcp } from './answer-mcp.ts'
export type { McpCall, McpOffer, McpOutcome, McpTool } from './offer.ts'
