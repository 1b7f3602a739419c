import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AGENT_TEMPLATES } from '../src/core/agents/templates.ts'
import { TEAM_TEMPLATES } from '../src/core/teams/templates.ts'
import { TEMPLATES } from '../src/core/workflows/templates/gallery.ts'
import { filledGraph } from '../src/core/workflows/templates/template.ts'
import { Maker } from './one-of-each/maker.ts'

let server: TestServer
let maker: Maker
beforeAll(async () => {
  server = await startTestServer()
  maker = new Maker(server, server.seed.organizationId)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Where the test of a template ends; the models of the test server are the sandbox (packages/models/src/sandbox). */
const ENDS: Readonly<Record<string, string>> = {
  'support-triage': 'completed',
  'answer-with-sources': 'completed',
  'document-intake': 'awaiting_approval',
  'form-to-team': 'awaiting_approval',
  'approval-chain': 'completed',
  'clean-up': 'completed',
  'nightly-report': 'completed',
  'until-good': 'completed',
}

const makeAgent = (name: string, config: object) => maker.make('createAgent', 'agentId', { name, config })

async function makeTeam({ name, mode, instructions, members }: (typeof TEAM_TEMPLATES)[number]) {
  const named = []
  for (const member of members) {
    named.push({
      agent: await makeAgent(member.name, { instructions: member.instructions }),
      role: member.role,
    })
  }
  const config = { mode, lead: { managed: { instructions } }, members: named }
  return maker.make('createTeam', 'teamId', { name, config })
}

/** The agent or the team that a person would choose for a template. */
async function chosenFor(asks: (typeof TEMPLATES)[number]['asks']): Promise<string | null> {
  const [team] = TEAM_TEMPLATES
  const agent = AGENT_TEMPLATES.find(({ id }) => id === 'sources')
  if (!asks || !team || !agent) return null
  if (asks.kind === 'team') return makeTeam(team)
  const base = await maker.make('createKnowledgeBase', 'knowledgeBaseId', { name: 'Returns' })
  const config = { ...agent.config, knowledge: { mode: 'auto', cite: true, base_ids: [base] } }
  const agentId = await makeAgent(agent.name, config)
  await maker.ask('setAgentStatus', { agentId }, { status: 'active' })
  return agentId
}

test.each(TEMPLATES)('$name can be published as it is, and its test runs', async (template) => {
  const { id, name, payload } = template
  const draft = filledGraph(template, await chosenFor(template.asks))
  const made = await maker.ask('createWorkflow', {}, { name, draft: { ...draft } })
  const workflowId = String(propertyOf(made, 'workflowId'))
  const draftRevision = propertyOf(made, 'draftRevision')
  const started = await maker.ask(
    'startTestRun',
    { workflowId },
    {
      draftRevision,
      scope: { kind: 'all' },
      payload,
      ...(id === 'nightly-report' ? { triggerNodeId: 'by-hand' } : {}),
    },
  )
  const runId = String(propertyOf(started, 'executionId'))
  const statusOf = async () => propertyOf(await maker.ask('getRun', { runId }), 'status')
  await expect.poll(statusOf, { timeout: 15_000 }).toBe(ENDS[id])
  await maker.ask('publishWorkflow', { workflowId }, { draftRevision })
})

test.each(AGENT_TEMPLATES)('the agent $name is created as it is and answers', async ({ name, config }) => {
  const agentId = await makeAgent(name, config)
  const run = await server.call(`POST /api/v1/agents/${agentId}/run`, {
    key: server.seed.keys.organization,
    body: { message: 'Hello', user_id: 'u1' },
  })
  expect(run.status, JSON.stringify(run.body)).toBe(200)
})

test.each(TEAM_TEMPLATES)('the team $name is created with its agents and answers', async (template) => {
  const teamId = await makeTeam(template)
  const run = await server.call(`POST /api/v1/teams/${teamId}/run-sync`, {
    key: server.seed.keys.organization,
    body: { message: 'Hello' },
  })
  expect(run.status, JSON.stringify(run.body)).toBe(200)
  expect(String(propertyOf(run.body, 'content'))).not.toBe('')
})
