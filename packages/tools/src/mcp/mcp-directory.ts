import type { Clock } from '@troupe/agents/ports'
import type { OrganizationId } from '@troupe/contract'
import type { CredentialSource } from '../credentials/credential-source.ts'
import type { LeftOut } from './listed-tools.ts'
import { McpConnection } from './mcp-connection.ts'
import { type McpServer, McpUnavailable } from './mcp-endpoint.ts'
import { type OfferedTool, offeredTools, prefixOf } from './offered-tools.ts'
import { openEndpoint } from './open-endpoint.ts'
import { ToolLists } from './tool-lists.ts'

/** A server's current tools, or why the server cannot be used. */
export type AskedOffer =
  | {
      ok: true
      tools: Pick<OfferedTool, 'name' | 'description' | 'inputSchema' | 'definition'>[]
      leftOut: LeftOut[]
    }
  | { ok: false; reason: string }

/** The lists of tools of MCP servers: cached for runs, and read again on a person's request. */
export class McpDirectory {
  /** The cache for runs. */
  readonly lists: ToolLists
  readonly #credentials: CredentialSource
  readonly #fetch: typeof globalThis.fetch

  /** @param options `fetch` is the guarded one. */
  constructor(options: {
    clock: Pick<Clock, 'now'>
    credentials: CredentialSource
    fetch: typeof globalThis.fetch
  }) {
    this.lists = new ToolLists(options.clock)
    this.#credentials = options.credentials
    this.#fetch = options.fetch
  }

  /** Requests a server's tools. From then on, runs of this process use the new list too. */
  async ask(organizationId: OrganizationId, server: McpServer, signal: AbortSignal): Promise<AskedOffer> {
    try {
      const endpoint = await openEndpoint(server, {}, organizationId, this.#credentials)
      await using connection = new McpConnection(endpoint, this.#fetch)
      const listed = await this.lists.renewed(organizationId, endpoint, () => connection.list(signal))
      const { tools, leftOut } = offeredTools(listed, { prefix: prefixOf(server.slug) })
      const gaps = listed.gaps.map((reason) => ({ name: 'Further tools', reason }))
      return { ok: true, tools, leftOut: [...leftOut, ...gaps] }
    } catch (error) {
      if (error instanceof McpUnavailable) return { ok: false, reason: error.message }
      if (error === signal.reason) return { ok: false, reason: 'It took too long.' }
      throw error
    }
  }
}
