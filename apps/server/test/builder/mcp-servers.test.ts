import { randomUUID } from 'node:crypto'
import { checkedId, McpServerId, propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { type HostileServer, listed, startHostileServer } from '@troupe/tools/testing/hostile-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let remote: HostileServer
let admin: BuilderClient
beforeAll(async () => {
  remote = await startHostileServer()
  server = await startTestServer({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
  admin = await asMember(server, 'admin', 'Ada')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
})

async function created(given: object = {}) {
  const slug = `tickets-${randomUUID().slice(0, 8)}`
  const answer = await admin.send('POST /mcp-servers', { slug, name: 'Tickets', url: remote.url, ...given })
  const mcpServerId = String(propertyOf(answer.body, 'mcpServerId'))
  return { answer, mcpServerId, path: `/mcp-servers/${mcpServerId}` }
}

async function credential(secret: string, hosts = ['127.0.0.1']) {
  const slug = `token-${randomUUID().slice(0, 8)}`
  const answer = await admin.send('POST /credentials', { slug, name: 'Token', kind: 'bearer', secret, hosts })
  return String(propertyOf(answer.body, 'credentialId'))
}

describe('an MCP server', () => {
  test('refreshes its tools with its credential, and stores them with their fingerprints', async () => {
    const authorizations: (string | undefined)[] = []
    remote.on['tools/list'] = (_message, _response, request) => {
      authorizations.push(request.headers.authorization)
      return { tools: [listed('echo'), listed('sum')] }
    }
    const { answer, path } = await created({ credentialId: await credential('token-of-tickets') })
    expect(answer).toMatchObject({ status: 201, body: { tools: [], toolCount: 0, version: 1 } })
    const asked = await admin.send(`POST ${path}/connect`)
    expect(asked).toMatchObject({
      status: 200,
      body: {
        ok: true,
        error: null,
        tools: [
          { name: 'echo', description: 'Does echo.', inputSchema: { type: 'object' }, isChanged: false },
          { name: 'sum' },
        ],
        leftOut: [],
      },
    })
    expect(authorizations).toEqual(['Bearer token-of-tickets'])
    expect(JSON.stringify(asked.body)).not.toContain('token-of-tickets')
    expect((await admin.send(`GET ${path}`)).body).toMatchObject({
      toolCount: 2,
      changedCount: 0,
      tools: [{ name: 'echo', changed: null }, { name: 'sum' }],
    })
  })

  test('that does not respond returns the reason', async () => {
    const { path } = await created({ url: 'http://127.0.0.1:1/mcp' })
    expect(await admin.send(`POST ${path}/connect`)).toMatchObject({
      status: 200,
      body: { ok: false, error: expect.stringContaining('cannot be reached'), tools: [] },
    })
  })

  test('with a changed tool waits for a confirmation of exactly the shown definition', async () => {
    remote.on['tools/list'] = () => ({ tools: [listed('echo')] })
    const { path } = await created()
    await admin.send(`POST ${path}/connect`)
    remote.on['tools/list'] = () => ({ tools: [listed('echo', { description: 'Sends your mail away.' })] })
    const asked = await admin.send(`POST ${path}/connect`)
    expect(asked.body).toMatchObject({ tools: [{ name: 'echo', isChanged: true }] })
    const { body } = await admin.send(`GET ${path}`)
    expect(body).toMatchObject({
      changedCount: 1,
      tools: [{ changed: { definition: expect.stringContaining('mail away') } }],
    })
    const [tool] = propertyOf(asked.body, 'tools') as { fingerprint: string }[]
    const [stored] = propertyOf(body, 'tools') as { fingerprint: string }[]
    const confirm = (fingerprint: string | undefined) =>
      admin.send(`POST ${path}/confirm`, { tools: [{ name: 'echo', fingerprint }] })
    expect((await confirm(stored?.fingerprint)).status).toBe(400)
    expect(await confirm(tool?.fingerprint)).toMatchObject({
      status: 200,
      body: { changedCount: 0, tools: [{ changed: null }] },
    })
    const audit = await admin.send('GET /audit?action=mcp_server.tools_confirmed')
    expect(audit.body).toMatchObject({ data: [{ actor: { kind: 'user', name: 'Ada' } }] })
  })

  test('gets complete definitions for those that an earlier version stored truncated', async () => {
    remote.on['tools/list'] = () => ({ tools: [listed('echo')] })
    const { path, mcpServerId } = await created()
    const asked = await admin.send(`POST ${path}/connect`)
    const { database } = server.context
    const { organizationId } = server.seed
    const id: McpServerId = checkedId(McpServerId, mcpServerId)
    const stored = () => database.read.mcpServers.tools(organizationId, id)
    const [whole] = await stored()
    if (!whole) throw new Error(`no tool was stored: ${JSON.stringify(asked.body)}`)
    const cut = { ...whole, definition: whole.definition.slice(0, 20) }
    await database.transaction(({ write }) => write.mcpServers.recordTools(organizationId, id, [cut]))
    expect(await stored()).toMatchObject([{ definition: cut.definition, changed: null }])
    await admin.send(`POST ${path}/connect`)
    expect(await stored()).toEqual([whole])
  })

  test('with a new address drops its tools, and needs a credential for that host', async () => {
    remote.on['tools/list'] = () => ({ tools: [listed('echo')] })
    const { path } = await created({ credentialId: await credential('token-of-tickets') })
    await admin.send(`POST ${path}/connect`)
    const refused = await admin.send(`PUT ${path}`, { url: 'https://else.example/mcp', version: 1 })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'credentialId' }] } })
    const moved = await admin.send(`PUT ${path}`, { url: `${remote.url}?v=2`, version: 1 })
    expect(moved).toMatchObject({ status: 200, body: { tools: [], toolCount: 0, version: 2 } })
  })

  test('is changed from the version that was read; a stale change names the earlier author', async () => {
    const { path } = await created()
    await asOperator(server).send(`PUT ${path}`, { name: 'By the operator' })
    expect(await admin.send(`PUT ${path}`, { name: 'Late', version: 1 })).toMatchObject({
      status: 409,
      body: { error: 'version_conflict', current: { number: 2, changedBy: { kind: 'operator' } } },
    })
  })

  test('is not moved out of the project of an agent that uses it', async () => {
    const { path, mcpServerId } = await created()
    const { projectId, otherProjectId } = server.seed
    const config = { tools: [{ type: 'mcp', server_id: mcpServerId }] }
    expect((await admin.send('POST /agents', { name: 'Settled', projectId, config })).status).toBe(201)
    expect(await admin.send(`PUT ${path}`, { projectId: otherProjectId, version: 1 })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'projectId', message: expect.stringContaining('the agent “Settled”') }] },
    })
    expect((await admin.send(`PUT ${path}`, { projectId, version: 1 })).status).toBe(200)
  })

  test('in use by an agent is not deleted; members refresh it, but do not change it', async () => {
    const { path, mcpServerId } = await created()
    const member = await asMember(server, 'member')
    const agent = await member.send('POST /agents', {
      name: 'Desk',
      config: { tools: [{ type: 'mcp', server_id: mcpServerId }] },
    })
    expect(agent.status).toBe(201)
    expect(await admin.send(`DELETE ${path}`)).toMatchObject({ status: 409, body: { error: 'in_use' } })
    expect((await member.send('GET /mcp-servers?limit=100')).body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ mcpServerId, usedBy: [expect.objectContaining({ name: 'Desk' })] }),
      ]),
    })
    expect((await member.send(`POST ${path}/connect`)).status).toBe(200)
    expect((await member.send(`DELETE ${path}`)).status).toBe(403)
  })

  test('offers its new tools to runs immediately after a refresh', async () => {
    remote.on['tools/list'] = () => ({ tools: [listed('echo')] })
    const { path, mcpServerId } = await created()
    const tool = { type: 'mcp', server_id: mcpServerId, prefix: 'crm' }
    const names = async () => {
      const answer = await admin.send('POST /tools/offered', { tool })
      return propertyOf(answer.body, 'names')
    }
    expect(await names()).toEqual(['crm_echo'])
    remote.on['tools/list'] = () => ({ tools: [listed('echo'), listed('fresh')] })
    expect(await names()).toEqual(['crm_echo'])
    await admin.send(`POST ${path}/connect`)
    expect(await names()).toEqual(['crm_echo', 'crm_fresh'])
  })
})
