import type { Send } from './send.ts'
import type { Served } from './served.ts'

/** The agent that the server of the run exposes to MCP clients; the registered MCP server of the bundle is that server. */
const EXPOSED = 'a2000000-0000-4000-8000-000000000005'
const SERVER_ID = 'a5000000-0000-4000-8000-000000000001'
const TOOL = 'exposed'

/** Values for requests about MCP, besides a fingerprint. */
export const MCP_IDENTIFIERS = {
  organizations: ['acme'],
  'mcp-servers': ['itself'],
  'changed-tools': [TOOL],
  'mcp-accept': ['application/json, text/event-stream'],
  'mcp-methods': ['initialize', 'ping', 'tools/list', 'tools/call', 'notifications/initialized'],
}

/** Makes the registered server offer a tool, changes it, and returns its new, unconfirmed fingerprint. */
export async function changeMcpTool({ url, credentials }: Served, send: Send): Promise<string> {
  // A new header value has a new list, which is fetched again.
  const offer = async (time: string, name?: string) => {
    const tool = { type: 'mcp', server_id: SERVER_ID, headers: { time } }
    await send('POST', '/api/v1/tools/test', { tool, name, arguments: { message: 'Hello' } })
  }
  await offer('first', `itself_${TOOL}`)
  await send('PUT', `/api/v1/agents/${EXPOSED}`, { description: 'It has changed.' })
  await offer('second').catch(() => {})
  const slugs = new URLSearchParams({ organization: 'acme', server: 'itself' })
  const answer = await fetch(`${url}/api/builder/mcp-servers/tools?${slugs}`, {
    headers: { authorization: `Bearer ${credentials.adminToken}` },
  })
  const text = await answer.text()
  const fingerprint = /"changed":\{"fingerprint":"([^"]+)"/.exec(text)?.[1]
  if (fingerprint === undefined) throw new Error(`no tool has changed: ${text}`)
  return fingerprint
}
