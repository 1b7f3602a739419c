import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember } from './builder-caller.ts'

let server: TestServer
let admin: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
  admin = await asMember(server, 'admin', 'Ada')
})
afterAll(() => server[Symbol.asyncDispose]())

const skill = { files: { 'SKILL.md': '---\nname: returns\ndescription: Decides.\n---\n\nBe strict.\n' } }
const model = { slug: 'own', name: 'Own', providerId: 'sandbox', models: [{ modelId: 'm' }] }
const team = () => ({
  name: 'Support',
  config: {
    mode: 'parallel',
    lead: { managed: { instructions: 'Answer.' } },
    members: [{ agent: server.seed.agents.organization }, { agent: server.seed.agents.project }],
  },
})

test.for<[string, string, string, () => object, string]>([
  ['team', '/teams', 'teamId', team, 'Support'],
  ['workflow', '/workflows', 'workflowId', () => ({ name: 'Refunds' }), 'Refunds'],
  ['knowledge_base', '/knowledge-bases', 'knowledgeBaseId', () => ({ name: 'Handbook' }), 'Handbook'],
  ['skill', '/skills', 'skillId', () => skill, 'returns'],
  [
    'mcp_server',
    '/mcp-servers',
    'mcpServerId',
    () => ({ slug: 't', name: 'T', url: 'http://127.0.0.1:1/' }),
    'T',
  ],
  ['llm_configuration', '/llm-configurations', 'llmConfigId', () => model, 'Own'],
])('the audit log has a deleted %s under its id, with the actor and its name', async ([
  kind,
  path,
  idField,
  body,
  name,
]) => {
  const made = await admin.send(`POST ${path}`, body())
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const id = String(propertyOf(made.body, idField))
  const deleted = await admin.send(`DELETE ${path}/${id}`)
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(204)
  const filter = `entityKind=${kind}&entityId=${id}&action=${kind}.deleted`
  const changes = await admin.send(`GET /audit?${filter}`)
  expect(propertyOf(changes.body, 'data')).toMatchObject([
    { actor: { kind: 'user', name: 'Ada' }, entity: { kind, id, name } },
  ])
})

test('a deleted conversation is found in the audit log by the id of its page', async () => {
  const { agents } = server.seed
  const ran = await server.call(`POST /api/v1/agents/${agents.organization}/run`, {
    body: { message: 'Hello', session_id: 'chat-1' },
  })
  const listed = await admin.send('GET /sessions')
  const [session] = Object.values(Object(propertyOf(listed.body, 'data')))
  const id = String(propertyOf(session, 'id'))
  const sessionId = String(propertyOf(ran.body, 'sessionId'))
  expect((await server.call(`DELETE /api/v1/sessions/${sessionId}`)).status).toBe(204)
  expect((await admin.send(`GET /sessions/${id}`)).status).toBe(404)
  const changes = await admin.send(`GET /audit?entityKind=session&entityId=${id}&action=session.deleted`)
  expect(propertyOf(changes.body, 'data')).toMatchObject([
    { actor: { kind: 'api_key', name: 'organization' }, entity: { id } },
  ])
})
