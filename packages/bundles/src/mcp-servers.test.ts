import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

let parts: BundleParts
beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

const SERVER = '{ slug: tickets, name: Tickets, url: "https://tickets.example/mcp", credential: crm }'
const bundle = (servers: string, tool = '', credential = 'hosts: [tickets.example]') => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: one, name: One }, { slug: two, name: Two }]
    credentials: [{ slug: crm, name: CRM, kind: bearer, secret: token-1, ${credential} }]
    mcpServers: [${servers}]
    agents: [{ slug: desk, name: Desk, project: two, config: { tools: [${tool}] } }]
`
const apply = (text: string) => applyBundle(parts, { text, variables: {}, actor: TEST_ACTOR })

async function problemsOf(text: string): Promise<string[]> {
  const error = await apply(text).catch((caught: unknown) => caught)
  if (!(error instanceof BundleError)) throw error
  return error.problems.map(({ path, message }) => `${path.replace('organizations.0.', '')} ${message}`)
}

test('a server is named by its slug, an export has it, and applying either again changes nothing', async () => {
  const text = bundle(SERVER, '{ type: mcp, server: tickets, allow: [create], prefix: tickets }')
  expect((await apply(text)).organizations[0]?.mcpServers).toMatchObject({ created: 1 })
  expect((await apply(text)).organizations[0]).toMatchObject({
    mcpServers: { unchanged: 1 },
    agents: { unchanged: 1 },
  })
  const exported = await exportBundle(parts, 'acme')
  expect(exported).toMatch(/credential: crm/)
  expect(exported).toMatch(/server: tickets/)
  expect(exported).not.toMatch(/server_id/)
  expect((await apply(exported)).organizations[0]).toMatchObject({
    credentials: { unchanged: 1 },
    mcpServers: { unchanged: 1 },
    agents: { unchanged: 1 },
  })
  const moved = SERVER.replace('/mcp', '/v2/mcp')
  expect((await apply(bundle(moved))).organizations[0]?.mcpServers).toMatchObject({ updated: 1 })
})

test("another URL deletes the confirmations of the earlier one's tools", async () => {
  await apply(bundle(SERVER))
  const { read } = parts.database
  const organization = await read.organizations.bySlug('acme')
  if (!organization) throw new Error('no organization')
  const [server] = await read.mcpServers.list(organization.id)
  if (!server) throw new Error('no server')
  const offered = [{ name: 'create', fingerprint: 'a', definition: '{}' }]
  await parts.database.transaction(({ write }) =>
    write.mcpServers.recordTools(organization.id, server.id, offered),
  )
  await apply(bundle(SERVER.replace('name: Tickets', 'name: Desk')))
  expect(await read.mcpServers.tools(organization.id, server.id)).toHaveLength(1)
  await apply(bundle(SERVER.replace('/mcp', '/v3/mcp')))
  expect(await read.mcpServers.tools(organization.id, server.id)).toEqual([])
})

test('an unusable server or tool setting is refused with its path', async () => {
  const servers = [
    SERVER.replace('tickets.example', 'other.example'),
    '{ slug: b, name: B, url: "ftp://b.example/" }',
    '{ slug: c, name: C, url: "https://me@c.example/" }',
    '{ slug: d, name: D, url: "https://d.example", credential: nobody }',
  ]
  expect((await problemsOf(bundle(servers.join(', ')))).sort()).toEqual([
    'mcpServers.0.credential does not cover the host of the URL: crm',
    'mcpServers.1.url must be an http or https URL without a user name',
    'mcpServers.2.url must be an http or https URL without a user name',
    'mcpServers.3.credential is not a credential of this organization: nobody',
  ])
  const shared = bundle(SERVER, '', 'hosts: [tickets.example], project: one')
  expect(await problemsOf(shared)).toEqual([
    'mcpServers.0.credential belongs to a project, and the server does not belong to it: crm',
  ])
  const ofOne = SERVER.replace('credential: crm', 'project: one')
  expect(
    await problemsOf(bundle(ofOne, '{ type: mcp, server: tickets }, { type: mcp, server: none }')),
  ).toEqual([
    'agents.0.config.tools.0.server belongs to another project than the agent: tickets',
    'agents.0.config.tools.1.server is not an MCP server of this organization: none',
  ])
})

test('a credential of a stored server cannot be removed from it', async () => {
  await apply(bundle(SERVER))
  expect((await problemsOf(bundle('', '', 'hosts: [other.example], project: one'))).sort()).toEqual([
    'credentials.0.hosts must cover the host of the MCP server tickets',
    'credentials.0.project must not change: the MCP server tickets uses the credential',
  ])
})

test('a credential that does not cover the host of a tool is refused, unless the context provides the host', async () => {
  const tool = (host: string) =>
    `{ type: http, name: get, method: GET, url: "https://${host}/", context_keys: [{ key: shop }], auth_credential: crm }`
  expect(await problemsOf(bundle('', tool('other.example')))).toEqual([
    'agents.0.config.tools.0.auth_credential does not cover the host of the URL',
  ])
  await apply(bundle('', tool('tickets.example:8443')))
  await apply(bundle('', tool('{{ context.shop }}')))
})
