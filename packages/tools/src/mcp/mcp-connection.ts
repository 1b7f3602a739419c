import type { ToolOutcome } from '@troupe/agents/ports'
import { type HideTexts, textHider } from '../credentials/text-hider.ts'
import { cappedFetch } from './capped-fetch.ts'
import { type McpEndpoint, McpUnavailable } from './mcp-endpoint.ts'
import { resultOutcome } from './result-outcome.ts'
import { whyNotMcp, whyStatus } from './why-unavailable.ts'

const CONNECT_MS = 10_000
const CLOSE_MS = 2_000
const MAX_PAGES = 20
const MAX_TOOLS = 256
const MAX_MESSAGE_CHARACTERS = 300

/** A tool as a server lists it, unchecked. */
export interface ListedTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

type Loaded = Awaited<ReturnType<typeof loadClient>>
type Client = InstanceType<Loaded['Client']>

/** Loaded with the first connection: the library and what it imports take 10 MB. */
async function loadClient() {
  const [{ Client }, { StreamableHTTPClientTransport, StreamableHTTPError }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const { CallToolResultSchema, ListToolsResultSchema, McpError, ErrorCode } = types
  return {
    Client,
    StreamableHTTPClientTransport,
    StreamableHTTPError,
    CallToolResultSchema,
    ListToolsResultSchema,
    McpError,
    ErrorCode,
  }
}

/** Shorter values of headers are words of ordinary texts. */
const MIN_HIDDEN = 8

/** What a server may send back: also what follows the scheme of `Bearer token`. */
function secretsOf({ headers, secrets }: McpEndpoint): string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)])
  return [...secrets, ...values.filter(({ length }) => length >= MIN_HIDDEN)]
}

/** A session with a server, opened by its first request. Disposing closes it. */
export class McpConnection implements AsyncDisposable {
  readonly #endpoint: McpEndpoint
  readonly #fetch: typeof globalThis.fetch
  readonly #closing = new AbortController()
  readonly #scrub: HideTexts
  #client: Promise<Client> | null = null
  #tooLarge = false
  /** `answered`: the server has sent any HTTP response; `connected`: it has opened a session. */
  #got: 'nowhere' | 'answered' | 'connected' = 'nowhere'

  constructor(endpoint: McpEndpoint, fetch: typeof globalThis.fetch) {
    this.#endpoint = endpoint
    this.#fetch = fetch
    this.#scrub = textHider(secretsOf(endpoint))
  }

  /**
   * Every tool that the server lists.
   *
   * @throws McpUnavailable, or the signal's reason
   */
  async list(signal: AbortSignal): Promise<ListedTool[]> {
    const timeout = AbortSignal.timeout(CONNECT_MS)
    try {
      return await this.#list(AbortSignal.any([signal, timeout]))
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) throw new McpUnavailable(`It did not answer within ${CONNECT_MS / 1000} s.`)
      throw new McpUnavailable(await this.#reasonOf(error))
    }
  }

  async #list(signal: AbortSignal): Promise<ListedTool[]> {
    const { ListToolsResultSchema } = await loadClient()
    const client = await this.#connected(signal)
    const tools: ListedTool[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
      // Not `client.listTools`, which compiles the schemas of the server's answers: a hostile one may cost seconds.
      const answer = await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ListToolsResultSchema,
        { signal, timeout: CONNECT_MS },
      )
      for (const { name, description = '', inputSchema } of answer.tools) {
        tools.push({ name, description, inputSchema: { ...inputSchema } })
      }
      cursor = answer.nextCursor
      if (cursor === undefined) break
    }
    return tools.slice(0, MAX_TOOLS)
  }

  /** Calls a tool. Rejects only with the signal's reason. */
  async call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<ToolOutcome> {
    try {
      const { CallToolResultSchema } = await loadClient()
      const client = await this.#connected(AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]))
      const answer = await client.request(
        { method: 'tools/call', params: { name, arguments: input } },
        CallToolResultSchema,
        // The tool's own time limit is in the signal.
        { signal, timeout: 600_000 },
      )
      return resultOutcome(answer, this.#scrub)
    } catch (error) {
      signal.throwIfAborted()
      return {
        ok: false,
        code: 'unavailable',
        message: `The MCP server failed: ${await this.#reasonOf(error)}`,
      }
    }
  }

  #connected(signal: AbortSignal): Promise<Client> {
    this.#client ??= this.#connect(signal).catch((error: unknown) => {
      this.#client = null
      throw error
    })
    return this.#client
  }

  async #connect(signal: AbortSignal): Promise<Client> {
    const { Client, StreamableHTTPClientTransport } = await loadClient()
    const client = new Client({ name: 'troupe', version: '1.0.0' }, { capabilities: {} })
    const fetch = cappedFetch(this.#fetch, () => {
      this.#tooLarge = true
      void client.close()
    })
    const transport = new StreamableHTTPClientTransport(new URL(this.#endpoint.url), {
      fetch: async (url, init) => {
        const answer = await fetch(url, { ...init, signal: this.#signalOf(init?.signal) })
        if (this.#got === 'nowhere') this.#got = 'answered'
        return answer
      },
      requestInit: { headers: { ...this.#endpoint.headers } },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    })
    try {
      await client.connect(transport, { signal, timeout: CONNECT_MS })
      this.#got = 'connected'
      return client
    } catch (error) {
      await client.close().catch(() => {})
      throw error
    }
  }

  #signalOf(own: AbortSignal | null | undefined): AbortSignal {
    return own ? AbortSignal.any([own, this.#closing.signal]) : this.#closing.signal
  }

  /** A sentence about a failure, with at most the server's own error message. */
  async #reasonOf(error: unknown): Promise<string> {
    const { McpError, ErrorCode, StreamableHTTPError } = await loadClient()
    if (this.#tooLarge) return 'Its answer is too large.'
    // The library's own failures, such as another type of content, have no status.
    if (error instanceof StreamableHTTPError && (error.code ?? 0) > 0) {
      return whyStatus(error.code ?? 0, this.#got === 'connected')
    }
    if (!(error instanceof McpError)) return whyNotMcp(error, this.#got)
    if (error.code === ErrorCode.ConnectionClosed) return 'It closed the connection.'
    if (error.code === ErrorCode.RequestTimeout) return 'It did not answer in time.'
    return this.#scrub(error.message).slice(0, MAX_MESSAGE_CHARACTERS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.#client?.catch(() => null)
    const timer = setTimeout(() => this.#closing.abort(), CLOSE_MS)
    try {
      const { transport } = client ?? {}
      if (transport && 'terminateSession' in transport && typeof transport.terminateSession === 'function') {
        await transport.terminateSession().catch(() => {})
      }
      await client?.close().catch(() => {})
    } finally {
      clearTimeout(timer)
      this.#closing.abort()
    }
  }
}
