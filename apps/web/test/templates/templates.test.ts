import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AGENT_TEMPLATES } from '../../src/core/agents/templates.ts'
import { TEAM_TEMPLATES } from '../../src/core/teams/templates.ts'
import { TEMPLATES } from '../../src/core/workflows/templates/gallery.ts'
import { Maker } from '../one-of-each/maker.ts'
import { ENDS, makeAgent, makeFromTemplate, makeTeam, testTemplate } from './made-templates.ts'

let server: TestServer
let maker: Maker
beforeAll(async () => {
  server = await startTestServer()
  maker = new Maker(server, server.seed.organizationId)
})
afterAll(() => server[Symbol.asyncDispose]())

test.each(
  TEMPLATES,
)('$name can be published as it is without a finding, and its test runs', async (template) => {
  const made = await makeFromTemplate(maker, template)
  const preview = await maker.ask('previewPublish', { workflowId: made.workflowId })
  expect(propertyOf(preview, 'findings')).toEqual([])
  const runId = await testTemplate(maker, made, template)
  const statusOf = async () => propertyOf(await maker.ask('getRun', { runId }), 'status')
  await expect.poll(statusOf, { timeout: 15_000 }).toBe(ENDS[template.id])
  const { workflowId, draftRevision } = made
  await maker.ask('publishWorkflow', { workflowId }, { draftRevision })
})

test.each(AGENT_TEMPLATES)('the agent $name is created as it is and answers', async ({ name, config }) => {
  const agentId = await makeAgent(maker, name, config)
  const run = await server.call(`POST /api/v1/agents/${agentId}/run`, {
    key: server.seed.keys.organization,
    body: { message: 'Hello', user_id: 'u1' },
  })
  expect(run.status, JSON.stringify(run.body)).toBe(200)
})

test.each(TEAM_TEMPLATES)('the team $name is created with its agents and answers', async (template) => {
  const teamId = await makeTeam(maker, template)
  const run = await server.call(`POST /api/v1/teams/${teamId}/run-sync`, {
    key: server.seed.keys.organization,
    body: { message: 'Hello' },
  })
  expect(run.status, JSON.stringify(run.body)).toBe(200)
  expect(String(propertyOf(run.body, 'content'))).not.toBe('')
})
