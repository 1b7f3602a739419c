import { AGENT_CONFIG_DEFAULTS } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

test('a member of a team has scripts and workflows, but no agents as tools', async () => {
  const { organizationId } = setting.server.seed
  const { database } = setting.server.context
  const workflowId = await seedWorkflow(database, { organizationId, projectId: null })
  const other = await setting.agent()
  const primary = { ...AGENT_CONFIG_DEFAULTS.model.primary, llm_config_id: setting.llmConfigId }
  const tools = [
    { type: 'code', name: 'double', source: 'export default ({ n }) => n * 2' },
    { type: 'workflow', name: 'flow', workflow_id: workflowId },
    { type: 'agent', name: 'ask', agent_id: other.agentId },
  ]
  const team = await seedTeam(database, {
    organizationId,
    projectId: null,
    members: ['Ada'],
    config: { mode: 'parallel', toggles: { auto_member_input: false }, lead: { agent: other.agentId } },
    memberConfig: () => ({ tools, model: { ...AGENT_CONFIG_DEFAULTS.model, primary } }),
  })
  setting.model.script(
    setting.calls('double', { n: 21 }),
    setting.calls('flow', { order: 'A-1' }),
    'Ada has both.',
    'The team has both.',
  )
  const answer = await setting.server.call(`POST /api/v1/teams/${team.teamId}/run-sync`, {
    body: { message: 'x' },
  })
  expect(answer).toMatchObject({ status: 200, body: { content: 'The team has both.' } })
  const [first, second, third] = setting.model.requests
  expect(JSON.stringify(first?.body.tools)).not.toContain('"ask"')
  expect(second?.body.messages?.at(-1)).toMatchObject({ role: 'tool', content: '42' })
  expect(third?.body.messages?.at(-1)).toMatchObject({ role: 'tool', content: '{"order":"A-1"}' })
})
