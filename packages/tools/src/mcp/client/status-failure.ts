import { McpFailure, SessionEnded } from './mcp-failure.ts'
import { readBody } from './read-body.ts'
import { readMessages } from './read-messages.ts'

const MAX_ERROR_BYTES = 64 * 1024
/**
 * Statuses with which a server, or a gateway in front of it, does not confirm that a request was not executed (RFC
 * 9110, 15.5.9 and 15.6): after a failure or timeout, it may have been.
 */
const UNKNOWN_OUTCOME = new Set([408, 500, 502, 504, 520, 522, 524])
const MAX_CHALLENGE = 1_000
/** The human-readable parameters of an authentication challenge. */
const PARAMETERS = [
  /[\s,]error="([^"]{1,200})"/i,
  /[\s,]error_description="([^"]{1,200})"/i,
  /[\s,]scope="([^"]{1,200})"/i,
] as const

/** The server's text in `WWW-Authenticate` (RFC 6750, section 3), as the end of a sentence; empty if there is none. */
function challengeOf(headers: Headers): string {
  const challenge = (headers.get('www-authenticate') ?? '').slice(0, MAX_CHALLENGE)
  const [error, description, scope] = PARAMETERS.map((parameter) => parameter.exec(challenge)?.[1])
  const parts = [error, description, scope && `it requires the scope ${scope}`].filter(Boolean)
  return parts.length === 0 ? '' : ` (${parts.join(': ')})`
}

/** The message of a JSON-RPC error in a body; null for any other body, which is not repeated. */
async function rpcMessage(response: Response): Promise<string | null> {
  const text = await readBody(response, MAX_ERROR_BYTES).catch(() => '')
  const read = readMessages(text)
  for (const message of read.ok ? read.messages : []) {
    if (message.kind === 'error' && message.message !== '') return message.message
  }
  return null
}

/**
 * The failure that an unsuccessful status means. A message of the protocol means that the server itself refused the
 * request.
 *
 * @param isConnected whether the session was opened before, so that its address is correct
 * @param hasSession whether the request had a session id
 */
export async function statusFailure(
  response: Response,
  { isConnected, hasSession }: { isConnected: boolean; hasSession: boolean },
): Promise<McpFailure> {
  const { status, headers } = response
  const said = await rpcMessage(response)
  // The specification requires 404. The servers in the TypeScript SDK's examples return 400 for an unknown session.
  if (hasSession && (status === 404 || (status === 400 && /session/i.test(said ?? ''))))
    return new SessionEnded()
  const refused = (message: string) => new McpFailure('refused', message)
  if (status === 401 || status === 403) {
    return refused(
      `It refused the request with status ${status}: check its credential${challengeOf(headers)}.`,
    )
  }
  if ((status === 404 || status === 405) && !isConnected) {
    return refused(
      `It answered with status ${status}: check its address, which must be the Streamable HTTP endpoint.`,
    )
  }
  if (said !== null) return refused(`It answered with status ${status}: ${said}`)
  return new McpFailure(
    UNKNOWN_OUTCOME.has(status) ? 'lost' : 'refused',
    `It answered with status ${status}.`,
  )
}
