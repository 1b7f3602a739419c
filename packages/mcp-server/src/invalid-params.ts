import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const REQUESTS = [
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
] as const

/** Maximum listed problems of a request. */
const MAX_ISSUES = 5

/**
 * Refuses a request whose parameters do not fit its method; null for any other message. The SDK would respond with the code of a defect.
 */
export function invalidParams(message: unknown): Response | null {
  if (!isJSONRPCRequest(message)) return null
  const checked = REQUESTS.find(([method]) => method === message.method)?.[1].safeParse(message)
  if (checked?.error === undefined) return null
  const issues = checked.error.issues.slice(0, MAX_ISSUES)
  const problems = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const error = { code: ErrorCode.InvalidParams, message: `Invalid params: ${problems.join('; ')}` }
  return Response.json({ jsonrpc: '2.0', id: message.id, error })
}
