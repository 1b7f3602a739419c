import { AgentConfigInput, propertyOf, TeamConfigInput } from '@troupe/contract'
import { BUILDER_OPERATIONS, type BuilderOperationId } from '@troupe/contract/builder'
import { NODE_DEFINITIONS } from '@troupe/nodes/definitions'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentConfig } from './agent-config.ts'
import { filledValue } from './filled-value.ts'
import { graphOfEach } from './graph.ts'
import { Maker } from './maker.ts'
import { makeResources, SECRETS } from './resources.ts'
import { ledTeam, managedTeam } from './team-configs.ts'
import { unsetFields } from './unset-fields.ts'
import { makeVoice } from './voice.ts'

const START = {
  ...{ id: 'start', type: 'manual-trigger', name: 'Start' },
  position: { x: 0, y: 0 },
  config: {},
}

/** The settings of an agent beside its configuration, none as by default. */
const {
  id: _,
  projectId: _project,
  config: _config,
  ...settings
} = BUILDER_OPERATIONS.createAgent.body.properties
const AGENT_SETTINGS = Object(filledValue({ type: 'object', properties: settings }))

/** Values in comments of the bundle must be provided elsewhere, by their variable. */
const VARIABLES = {
  MAIN_API_KEY: SECRETS.main,
  SPARE_API_KEY: SECRETS.spare,
  SHOP_API_SECRET: SECRETS.shop,
  CRM_SECRET: SECRETS.crm,
  WEB_SECRET: SECRETS.search,
  SPEECH_SECRET: SECRETS.speech,
  CARRIER_PASSWORD: SECRETS.carrier,
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 120_000)
afterAll(() => server?.[Symbol.asyncDispose]())

/** A new organization, and the calls on it. */
async function organization(slug: string): Promise<Maker> {
  const { body } = await server.call('POST /api/builder/v1/organizations', {
    key: null,
    headers: { authorization: `Bearer ${server.adminToken}` },
    body: { slug, name: slug },
  })
  return new Maker(server, String(propertyOf(body, 'organizationId')))
}

/** One of each kind; those that have a project in it. */
async function makeOneOfEach(maker: Maker) {
  const resources = await makeResources(maker)
  const { project: projectId } = resources
  const agent = (name: string, config: object = {}) =>
    maker.make('createAgent', 'agentId', {
      ...AGENT_SETTINGS,
      ...{ name, description: `Is ${name}`, projectId, config },
    })
  const workflow = (name: string, draft: object) =>
    maker.make('createWorkflow', 'workflowId', { name, description: `Is ${name}`, projectId, draft })
  const team = (name: string, config: object) =>
    maker.make('createTeam', 'teamId', { name, description: `Is ${name}`, projectId, config })
  const helper = await agent('Helper')
  const other = await agent('Other')
  const small = await workflow('Small', { nodes: [START], edges: [] })
  await maker.ask(
    'publishWorkflow',
    { workflowId: small },
    { draftRevision: 1, label: 'First', note: 'The first one.' },
  )
  await maker.ask('setAgentStatus', { agentId: helper }, { status: 'active' })
  const config = agentConfig(resources, { agent: helper, workflow: small })
  const writer = await agent('Writer', config)
  await maker.ask('setAgentStatus', { agentId: writer }, { status: 'active' })
  const teamConfig = managedTeam(resources, [writer, helper])
  const desk = await team('Desk', teamConfig)
  await team('Led', ledTeam([other, writer, helper]))
  const graph = graphOfEach(resources, { agent: writer, team: desk })
  await workflow('Each', graph)
  await makeVoice(maker, resources, [writer, helper])
  return { config, teamConfig, graph }
}

/** A bundle without the parts that differ in every organization: ids, and the organization's own name and slug. */
const comparable = (bundle: string) =>
  bundle
    .split('\n')
    .filter((line) => !/^\s*(id: |- slug: each-|name: each-)/.test(line))
    .join('\n')

test('one of each kind with every field of its contract is the same in another organization, and no bundle has a secret', async () => {
  const [from, to] = [await organization('each-from'), await organization('each-to')]
  const made = await makeOneOfEach(from)
  const bundle = String(await from.ask('exportOrganizationBundle'))
  for (const secret of [...Object.values(SECRETS), server.adminToken]) expect(bundle).not.toContain(secret)
  expect(await from.ask('planOrganizationBundle', {}, { text: bundle })).toEqual({ changes: [], errors: [] })
  const text = bundle
    .replaceAll(/# (secret|credentials|password):/g, '$1:')
    .replace('x-gateway: null', `x-gateway: ${SECRETS.header}`)
  await to.ask('applyOrganizationBundle', {}, { text, variables: VARIABLES, adopt: true })
  expect(comparable(String(await to.ask('exportOrganizationBundle')))).toBe(comparable(bundle))
  expect(unsetOf(from, made)).toEqual([])
}, 120_000)

const MADE_BY = [
  'createProject',
  'createLlmConfiguration',
  'createCredential',
  'createMcpServer',
  'createKnowledgeBase',
  'addKnowledgeDocument',
  'uploadSkill',
  'createApiKey',
  'setBudget',
  'createAgent',
  'createTeam',
  'createWorkflow',
  'createVoiceConfiguration',
  'createPhoneTrunk',
  'createPhoneNumber',
] as const satisfies readonly BuilderOperationId[]

/** The ids of users differ where a bundle is applied. */
const ELSEWHERE_OTHERS = 'human-review: reviewers.userIds'

/** The fields of every contract that nothing set, but the ids that callers may choose. */
function unsetOf(maker: Maker, made: Awaited<ReturnType<typeof makeOneOfEach>>): string[] {
  const operations = MADE_BY.flatMap((id) =>
    unsetFields(BUILDER_OPERATIONS[id].body, maker.sent(id)).map((path) => `${id}: ${path}`),
  )
  const nodes = NODE_DEFINITIONS.flatMap(({ type, schema }) => {
    const configs = made.graph.nodes.filter((node) => node.type === type).map(({ config }) => config)
    return unsetFields(schema, configs).map((path) => `${type}: ${path}`)
  })
  const configs = [
    ...unsetFields(AgentConfigInput, [made.config]).map((path) => `agent: ${path}`),
    ...unsetFields(
      TeamConfigInput,
      maker.sent('createTeam').map((body) => propertyOf(body, 'config')),
    ).map((path) => `team: ${path}`),
  ]
  return [...operations, ...configs, ...nodes].filter(
    (path) => !path.endsWith(': id') && path !== ELSEWHERE_OTHERS,
  )
}
