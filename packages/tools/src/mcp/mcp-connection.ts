import type { ToolOutcome } from '@troupe/agents/ports'
import { type HideTexts, textHider } from '../credentials/text-hider.ts'
import { McpFailure, NoProtocol, NotOpened, RpcError } from './client/mcp-failure.ts'
import { McpSession } from './client/mcp-session.ts'
import { secretsOf } from './endpoint-secrets.ts'
import type { ListedTools } from './listed-tools.ts'
import { type McpEndpoint, McpUnavailable } from './mcp-endpoint.ts'
import { readToolList } from './read-tool-list.ts'
import { resultOutcome } from './result-outcome.ts'
import { isSurelyUnsent, whyNotMcp } from './why-unavailable.ts'

const LIST_MS = 10_000
const MAX_MESSAGE_CHARACTERS = 300

/** The tools of a server, over a session that its first request opens. Disposing ends it. */
export class McpConnection implements AsyncDisposable {
  readonly #session: McpSession
  readonly #hide: HideTexts

  /** @param fetch The guarded `fetch`. */
  constructor(endpoint: McpEndpoint, fetch: typeof globalThis.fetch) {
    this.#session = new McpSession(endpoint, fetch)
    this.#hide = textHider(secretsOf(endpoint))
  }

  /**
   * Every tool that the server lists.
   *
   * @throws McpUnavailable, or the signal's reason
   */
  async list(signal: AbortSignal): Promise<ListedTools> {
    const timeout = AbortSignal.timeout(LIST_MS)
    try {
      return await readToolList(this.#session, this.#hide, AbortSignal.any([signal, timeout]))
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) throw new McpUnavailable(`It did not answer within ${LIST_MS / 1000} s.`)
      throw new McpUnavailable(this.#reasonOf(error))
    }
  }

  /**
   * Calls a tool. If the response is lost, the call is not reported as failed, because it may have taken effect.
   * Rejects only with the signal's reason.
   */
  async call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<ToolOutcome> {
    try {
      const result = await this.#session.request('tools/call', { name, arguments: input }, signal)
      return resultOutcome(result, this.#hide)
    } catch (error) {
      signal.throwIfAborted()
      const reason = this.#reasonOf(error)
      if (error instanceof RpcError) {
        return { ok: false, code: 'failed', message: `The MCP server refused the call: ${reason}` }
      }
      if (!isLost(error)) {
        return { ok: false, code: 'unavailable', message: `The MCP server failed: ${reason}` }
      }
      const message = `The response of the MCP server was lost: ${reason} The call may have taken effect: check before you repeat it.`
      return { ok: false, code: 'unknown_outcome', message }
    }
  }

  /** A sentence about a failure; it repeats at most the server's own error message. */
  #reasonOf(failure: unknown): string {
    const error = failure instanceof NotOpened ? failure.cause : failure
    const { reached } = this.#session
    const isOurs = error instanceof McpFailure && !(error instanceof NoProtocol && reached !== 'connected')
    if (!isOurs) return whyNotMcp(error, reached)
    const said = error.message === '' ? 'It answered with an error without a message.' : error.message
    return this.#hide(said).slice(0, MAX_MESSAGE_CHARACTERS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]()
  }
}

/** Whether a request was sent and its effect is unknown. */
function isLost(error: unknown): boolean {
  if (error instanceof NotOpened) return false
  return error instanceof McpFailure ? error.reach === 'lost' : !isSurelyUnsent(error)
}
