import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { CallsUnderWay } from './calls-under-way.ts'
import { invalidParams } from './invalid-params.ts'
import { answersTogether, cancelledCall, isTooLarge, opensSession } from './message-kinds.ts'
import type { McpCall, McpOffer } from './offer.ts'

const KEEP_ALIVE_MS = 15_000
const INSTRUCTIONS = 'Every tool runs an agent, a team of agents or a workflow, which may take minutes.'

/** One message of a client. */
export interface McpRequest {
  /** The request without its body. */
  request: Request
  /** The parsed body, unchecked. */
  message: unknown
  /** Names the caller's API key. */
  caller: string
  /** Aborts when the client disconnects. */
  gone: AbortSignal
  offer: McpOffer
  calls: CallsUnderWay
  version: string
  newSessionId(): string
  onDefect(error: unknown): void
}

/** Never used: nothing is elicited from clients. The SDK would create a validator for each server. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error('nothing is elicited')
  },
}

function invalid(message: string): Response {
  const error = { code: ErrorCode.InvalidRequest, message }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 })
}

/**
 * Answers one message. Only calls in progress are kept between messages, so any process may answer: a session id only distinguishes the
 * calls of clients with the same API key.
 */
export async function answerMcp(given: McpRequest): Promise<Response> {
  const { request, message, caller, calls } = given
  // One request counts once for the rate limit; the protocol has also removed batches.
  if (Array.isArray(message)) return invalid('Batches are not supported: send one message per request.')
  if (isTooLarge(message)) return invalid('A message may have 64 KB besides the arguments of a call.')
  const refusal = invalidParams(message)
  if (refusal !== null) return refusal
  const session = request.headers.get('mcp-session-id') ?? ''
  const keyOf = (id: string | number) => JSON.stringify([caller, session, id])
  const cancelled = cancelledCall(message)
  if (cancelled !== null) calls.cancel(keyOf(cancelled))
  const transport = new WebStandardStreamableHTTPServerTransport({
    ...(opensSession(message) && { sessionIdGenerator: given.newSessionId }),
    enableJsonResponse: answersTogether(message),
    keepAliveMs: KEEP_ALIVE_MS,
  })
  const server = createServer(given, keyOf)
  await server.connect(transport)
  given.gone.addEventListener('abort', () => void server.close().catch(given.onDefect), { once: true })
  return transport.handleRequest(request, { parsedBody: message })
}

function createServer(given: McpRequest, keyOf: (id: string | number) => string): Server {
  const { offer, calls, version } = given
  const server = new Server(
    { name: 'troupe', title: 'Troupe', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  )
  server.setRequestHandler(ListToolsRequestSchema, () =>
    withoutDefects(given, async () => ({ tools: await offer.tools() })),
  )
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId, signal, sendNotification }) =>
    withoutDefects(given, () => {
      const token = params._meta?.progressToken
      let told = 0
      const progress = (message: string) => {
        if (token === undefined || signal.aborted) return
        told += 1
        const tell = { progressToken: token, progress: told, message }
        sendNotification({ method: 'notifications/progress', params: tell }).catch(() => {})
      }
      const call = { name: params.name, arguments: params.arguments ?? {}, progress }
      return calls.during(keyOf(requestId), AbortSignal.any([signal, given.gone]), (aborted) =>
        answerCall(offer, { ...call, signal: aborted }),
      )
    }),
  )
  return server
}

/** @throws McpError for a tool that the caller does not have */
async function answerCall(offer: McpOffer, call: McpCall): Promise<CallToolResult> {
  const outcome = await offer.call(call)
  if (outcome.kind === 'unknown_tool') throw new McpError(ErrorCode.InvalidParams, 'Unknown tool')
  const { text, isError, meta } = outcome
  return { content: [{ type: 'text', text }], isError, _meta: meta }
}

/** The SDK would send the text of any error. */
async function withoutDefects<T>({ onDefect }: McpRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof McpError) throw error
    onDefect(error)
    throw new McpError(ErrorCode.InternalError, 'An unexpected error occurred')
  }
}
