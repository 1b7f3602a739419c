import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let owner: BuilderClient
let builder: BuilderClient
let shop: string
let lab: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await asMember(server, 'owner')
  builder = await asMember(server, 'member')
  shop = await made('/projects', { slug: 'shop', name: 'Shop' }, 'projectId')
  lab = await made('/projects', { slug: 'lab', name: 'Lab' }, 'projectId')
})
afterAll(() => server[Symbol.asyncDispose]())

async function made(path: string, body: object, id: string): Promise<string> {
  const { status, body: answer } = await owner.send(`POST ${path}`, body)
  expect([200, 201], JSON.stringify(answer)).toContain(status)
  return String(propertyOf(answer, id))
}
const move = (projectId: string | null, things: object[], more: object = {}, by = owner) =>
  by.send('POST /project-moves', { projectId, things, ...more })
const projectOf = async (path: string) => propertyOf((await owner.send(`GET ${path}`)).body, 'projectId')
const reply = { config: { model: { primary: {} } } }

/** One resource of each kind in the project Shop, which use each other. */
async function everything() {
  const name = () => `n${Math.random().toString(36).slice(2)}`
  const credential = await made(
    '/credentials',
    { slug: name(), name: 'CRM', kind: 'bearer', secret: 's', hosts: ['crm.example'], projectId: shop },
    'credentialId',
  )
  const server = await made(
    '/mcp-servers',
    {
      slug: name(),
      name: 'Tickets',
      url: 'https://crm.example/mcp',
      credentialId: credential,
      projectId: shop,
    },
    'mcpServerId',
  )
  const llm = await made(
    '/llm-configurations',
    { slug: name(), name: 'Own', providerId: 'sandbox', models: [{ modelId: 'sandbox-1' }], projectId: shop },
    'llmConfigId',
  )
  const base = await made('/knowledge-bases', { name: 'Manual', projectId: shop }, 'knowledgeBaseId')
  const skillName = name()
  const skill = await made(
    '/skills',
    {
      files: { 'SKILL.md': `---\nname: ${skillName}\ndescription: How to write\n---\nBe kind.` },
      projectId: shop,
    },
    'skillId',
  )
  const agent = await made(
    '/agents',
    {
      name: 'Writer',
      projectId: shop,
      config: {
        model: { primary: { llm_config_id: llm } },
        knowledge: { base_ids: [base] },
        skills: [{ slug: skillName }],
      },
    },
    'agentId',
  )
  const second = await made('/agents', { name: 'Reader', ...reply }, 'agentId')
  const team = await made(
    '/teams',
    {
      name: 'Desk',
      projectId: shop,
      config: {
        mode: 'handoff',
        lead: { managed: { instructions: 'Hand over.', model: { primary: { llm_config_id: llm } } } },
        members: [{ agent }, { agent: second }],
      },
    },
    'teamId',
  )
  const workflow = await made(
    '/workflows',
    {
      name: 'Flow',
      projectId: shop,
      draft: {
        nodes: [
          { id: 't', type: 'manual-trigger', name: 'T', position: { x: 0, y: 0 }, config: {} },
          { id: 'a', type: 'ai-agent', name: 'A', position: { x: 0, y: 90 }, config: { agentId: agent } },
        ],
        edges: [{ id: 'e', source: 't', target: 'a' }],
      },
    },
    'workflowId',
  )
  return { credential, server, llm, base, skill, agent, team, workflow }
}

const KINDS = {
  credential: 'credential',
  server: 'mcp_server',
  llm: 'llm_configuration',
  base: 'knowledge_base',
  skill: 'skill',
  agent: 'agent',
  team: 'team',
  workflow: 'workflow',
} as const
const PATHS = {
  server: '/mcp-servers',
  llm: '/llm-configurations',
  base: '/knowledge-bases',
  skill: '/skills',
  agent: '/agents',
  team: '/teams',
  workflow: '/workflows',
} as const

test('resources of every kind are moved together, with an audit entry for each', async () => {
  const all = await everything()
  const things = (Object.keys(KINDS) as (keyof typeof KINDS)[]).map((key) => ({
    kind: KINDS[key],
    id: all[key],
  }))
  const looked = await move(lab, things, { preview: true })
  expect(looked).toMatchObject({ status: 200, body: { isMoved: false } })
  expect(await projectOf(`/agents/${all.agent}`)).toBe(shop)
  const done = await move(lab, things)
  expect(done.body).toMatchObject({ isMoved: true })
  const rows = propertyOf(done.body, 'things') as { kind: string; usedByCount: number; problems: string[] }[]
  expect(rows.flatMap(({ problems }) => problems)).toEqual([])
  expect(Object.fromEntries(rows.map(({ kind, usedByCount }) => [kind, usedByCount]))).toEqual({
    ...{ credential: 1, mcp_server: 0, llm_configuration: 2, knowledge_base: 1, skill: 1 },
    ...{ agent: 2, team: 0, workflow: 0 },
  })
  for (const key of Object.keys(PATHS) as (keyof typeof PATHS)[]) {
    expect(await projectOf(`${PATHS[key]}/${all[key]}`), key).toBe(lab)
  }
  const audit = await owner.send('GET /audit?limit=8')
  const entries = propertyOf(audit.body, 'data') as { action: string; before: unknown; after: unknown }[]
  expect(entries.map(({ action }) => action).toSorted()).toEqual(
    things.map(({ kind }) => `${kind}.moved`).toSorted(),
  )
  // The agent runs with its own configuration there.
  const { organization: key } = server.seed.keys
  await owner.send(`PUT /agents/${all.agent}/status`, { status: 'active' })
  const run = await server.call(`POST /api/v1/agents/${all.agent}/run`, { key, body: { message: 'Hi' } })
  expect(run.status, JSON.stringify(run.body)).toBe(200)
})

test('nothing is moved away from its uses or dependencies', async () => {
  const all = await everything()
  const away = await move(lab, [{ kind: 'agent', id: all.agent }])
  expect(away.body).toMatchObject({ isMoved: false })
  const [row] = propertyOf(away.body, 'things') as { problems: string[] }[]
  expect(row?.problems.map((text) => text.replace(/“n[a-z0-9]+”/, '“…”'))).toEqual([
    'uses the knowledge base “Manual” of the project “Shop”',
    'uses the LLM configuration “Own” of the project “Shop”',
    'is used by the team “Desk” of the project “Shop”',
    'is used by the workflow “Flow” of the project “Shop”',
    'names the skill “…” by its slug, which would not be found there',
  ])
  expect(await projectOf(`/agents/${all.agent}`)).toBe(shop)
  for (const [kind, id] of [
    ['llm_configuration', all.llm],
    ['knowledge_base', all.base],
    ['skill', all.skill],
    ['credential', all.credential],
  ]) {
    expect((await move(lab, [{ kind, id }])).body, kind).toMatchObject({ isMoved: false })
  }
  // Everything that project resources use may move to the organization.
  const up = await move(null, [{ kind: 'knowledge_base', id: all.base }])
  expect(up.body).toMatchObject({
    isMoved: true,
    things: [{ projectId: shop, projectName: 'Shop', usedBy: [{ kind: 'agent', name: 'Writer' }] }],
  })
})

test('a member moves no credentials, and unknown resources, projects and fields are named', async () => {
  const all = await everything()
  const refused = await move(null, [{ kind: 'credential', id: all.credential }], {}, builder)
  expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect((await move(null, [{ kind: 'base', id: all.base }])).status).toBe(400)
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect(await move(unknown, [{ kind: 'team', id: all.team }])).toMatchObject({
    status: 422,
    body: { error: 'project_not_found' },
  })
  expect(await move(lab, [{ kind: 'team', id: all.agent }])).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'things.0.id', message: 'is not a team of this organization' }] },
  })
  expect((await move(null, [], {})).status).toBe(400)
  const alone = await made('/agents', { name: 'Alone', projectId: shop, ...reply }, 'agentId')
  expect((await move(null, [{ kind: 'agent', id: alone.toUpperCase() }], {}, builder)).body).toMatchObject({
    isMoved: true,
  })
})

test('a move lists the affected keys, conversations and defaults', async () => {
  const agent = await made('/agents', { name: 'Called', projectId: shop, ...reply }, 'agentId')
  await made('/api-keys', { name: 'Shop key', projectId: shop }, 'apiKeyId')
  const llm = await made(
    '/llm-configurations',
    {
      slug: 'shop-default',
      name: 'Shop default',
      providerId: 'sandbox',
      models: [{ modelId: 'm' }],
      projectId: shop,
      default: true,
    },
    'llmConfigId',
  )
  const { body } = await move(lab, [{ kind: 'agent', id: agent }], { preview: true })
  const notices = propertyOf(body, 'notices') as string[]
  expect(notices[0]).toBe('The API key of the project “Shop” can no longer call the moved resources.')
  expect(notices[1]).toContain('Conversations start over')
  expect(notices[2]).toContain('instead of “Shop default”, the default of the project “Shop”.')
  const other = await made(
    '/llm-configurations',
    {
      slug: 'lab-default',
      name: 'Lab default',
      providerId: 'sandbox',
      models: [{ modelId: 'm' }],
      projectId: lab,
      default: true,
    },
    'llmConfigId',
  )
  const moved = await move(lab, [{ kind: 'llm_configuration', id: llm }])
  expect(propertyOf(moved.body, 'notices')).toEqual([
    '“Shop default” is no longer the default LLM configuration where it was: choose another one there.',
    '“Shop default” does not become the default there, because one already exists.',
  ])
  expect((await owner.send(`GET /llm-configurations/${llm}`)).body).toMatchObject({
    projectId: lab,
    default: false,
  })
  expect((await owner.send(`GET /llm-configurations/${other}`)).body).toMatchObject({ default: true })
})

test('when a save races with a move of its base, the second one sees the result of the first', async () => {
  const base = await made('/knowledge-bases', { name: 'Contested', projectId: null }, 'knowledgeBaseId')
  const agent = await made('/agents', { name: 'Reader', projectId: shop, ...reply }, 'agentId')
  const version = propertyOf((await owner.send(`GET /agents/${agent}`)).body, 'versionId')
  const [saved, moved] = await Promise.all([
    owner.send(`PUT /agents/${agent}`, {
      baseVersionId: version,
      config: { knowledge: { base_ids: [base] } },
    }),
    move(lab, [{ kind: 'knowledge_base', id: base }]),
  ])
  const isSaved = saved.status === 200
  expect(isSaved || saved.status === 400, JSON.stringify(saved.body)).toBe(true)
  expect(propertyOf(moved.body, 'isMoved')).toBe(!isSaved)
})
