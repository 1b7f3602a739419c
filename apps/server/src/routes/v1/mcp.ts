import type { IncomingMessage } from 'node:http'
import { ConversationId, DomainError } from '@troupe/contract'
import { onClosed } from '@troupe/http/connections/on-closed'
import { principalOf } from '@troupe/http/operation-call'
import type { App } from '@troupe/http/server-types'
import { CallsUnderWay } from '@troupe/mcp-server/calls-under-way'
import { callExposedTool, type ToolCaller } from '@troupe/operations/runnables/call-exposed-tool'
import { exposedTools } from '@troupe/operations/runnables/exposed-tools'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the MCP route. */
export type McpRoutes = Pick<Context, 'database' | 'runs' | 'workflows' | 'clock' | 'newId' | 'config'>

const PATH = '/api/v1/mcp'

/** Hosts of pages served by this machine, such as a client under development. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The specification demands 403 for another site's page: DNS rebinding could point its name at this address in the visitor's
 * network. Clients that are not pages send no `Origin`.
 *
 * @throws DomainError `forbidden`
 */
function requireOwnOrigin(origin: string | undefined, publicUrl: string): void {
  if (origin === undefined) return
  const url = URL.parse(origin)
  if (url && (url.origin === new URL(publicUrl).origin || LOOPBACK.has(url.hostname))) return
  throw new DomainError('forbidden', 'A page of another site may not call this server.')
}

/** Only the headers that the protocol reads. */
function headersOf({ headers }: IncomingMessage): Headers {
  const names = ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version']
  return new Headers(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]] as const] : [])),
  )
}

/** Registers the MCP server: agents, teams and workflows with `expose: mcp` are its tools. */
export function registerMcp(app: App, { database, runs, workflows, clock, newId, config }: McpRoutes): void {
  const parts: ToolCaller = {
    read: database.read,
    graphs: workflows.graphs,
    runner: runs.runner,
    workflows: workflows.runner,
    database,
    clock,
    newId,
  }
  const calls = new CallsUnderWay()

  const offerOf = (request: FastifyRequest) => {
    const principal = principalOf(request)
    return {
      tools: () => exposedTools(parts, principal),
      call: (call: Parameters<typeof callExposedTool>[2]) => callExposedTool(parts, principal, call),
    }
  }

  app.post(PATH, { config: { access: 'api_key' } }, async (request, reply) => {
    requireOwnOrigin(request.headers.origin, config.publicUrl)
    // Loaded for the first client: the SDK takes megabytes.
    const { answerMcp } = await import('@troupe/mcp-server')
    const gone = new AbortController()
    onClosed(reply.raw, () => gone.abort())
    return answerMcp({
      request: new Request(config.publicUrl + PATH, { method: 'POST', headers: headersOf(request.raw) }),
      message: request.body,
      caller: principalOf(request).keyId,
      gone: gone.signal,
      offer: offerOf(request),
      calls,
      version: '1',
      newSessionId: () => newId(ConversationId),
      onDefect: (err) => request.log.error({ requestId: request.id, err }, 'an MCP request failed'),
    })
  })
}
