import { type AgentRunResult, CredentialId, McpServerId, newId } from '@troupe/contract'
import { credentialPlace } from '@troupe/operations/credentials/stored-credentials'
import type { NewCredential, NewMcpServer } from '@troupe/storage'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { type ShopServer, startShopServer } from './shop-server.ts'

/** The secret of every credential of a setting. */
export const SECRET = 'crm-token-9876'

/** A server, a scripted model, and a shop for the tools of agents. */
export class ShopSetting implements AsyncDisposable {
  readonly run: RunSetting
  readonly shop: ShopServer

  private constructor(run: RunSetting, shop: ShopServer) {
    this.run = run
    this.shop = shop
  }

  static async start(): Promise<ShopSetting> {
    return new ShopSetting(await startRunSetting(), await startShopServer())
  }

  /** Clears the recorded requests of model and shop; the shop responds with an order. */
  reset(): void {
    this.run.model.reset()
    this.shop.seen.length = 0
    this.shop.answer((_request, response) => response.end('{"state":"sent"}'))
  }

  /** A tool that looks an order up. */
  tool(more: object = {}) {
    return {
      type: 'http',
      name: 'get_order',
      description: 'Looks an order up.',
      method: 'GET',
      url: `${this.shop.origin}/orders/{id}`,
      input_schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      ...more,
    }
  }

  /** A stored credential, for the shop by default. */
  async credential(change: Partial<NewCredential> = {}): Promise<CredentialId> {
    const { context, seed } = this.run.server
    const id: CredentialId = newId(CredentialId)
    await context.database.transaction(({ write }) =>
      write.credentials.insert({
        id,
        organizationId: seed.organizationId,
        projectId: null,
        slug: `crm-${id.slice(0, 8)}`,
        name: 'CRM',
        kind: 'bearer',
        username: null,
        field: null,
        hosts: ['localhost'],
        sealedSecret: context.secretBox.seal(SECRET, credentialPlace(id)),
        ...change,
      }),
    )
    return id
  }

  /** A stored MCP server at the address of the shop. */
  async mcpServer(change: Partial<NewMcpServer> = {}): Promise<McpServerId> {
    const { context, seed } = this.run.server
    const id: McpServerId = newId(McpServerId)
    await context.database.transaction(({ write }) =>
      write.mcpServers.insert({
        id,
        organizationId: seed.organizationId,
        projectId: null,
        slug: `shop-${id.slice(0, 8)}`,
        name: 'Shop',
        url: `${this.shop.origin}/mcp`,
        credentialId: null,
        ...change,
      }),
    )
    return id
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run[Symbol.asyncDispose]()
    await this.shop[Symbol.asyncDispose]()
  }
}

/** The results of tools in the messages of an answer. */
export const toolTexts = (body: unknown) =>
  ((body as AgentRunResult).messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
