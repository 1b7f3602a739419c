import { randomUUID } from 'node:crypto'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const create = (tools: object[], more: object = {}) =>
  setting.server.call('POST /api/v1/agents', { body: { name: 'Ada', config: { tools }, ...more } })
const agentTool = (agent_id: string) => ({ type: 'agent', name: 'ask', agent_id })
const refusal = (path: string, message: string) => ({
  status: 400,
  body: { error: 'validation_error', errors: [{ path: `config.tools.0.${path}`, message }] },
})

test('tools refer to workflows, agents and servers that exist', async () => {
  const id = randomUUID()
  expect(await create([{ type: 'workflow', name: 'flow', workflow_id: id }])).toMatchObject(
    refusal('workflow_id', 'is not a workflow of this organization'),
  )
  expect(await create([agentTool(id)])).toMatchObject(
    refusal('agent_id', 'is not an agent of this organization'),
  )
  expect(await create([{ type: 'mcp', server_id: id }])).toMatchObject(
    refusal('server_id', 'is not an MCP server of this organization'),
  )
})

test('an agent of a project uses only resources of its project or of no project', async () => {
  const { organizationId, projectId, otherProjectId } = setting.server.seed
  const database = setting.server.context.database
  const mine = await seedWorkflow(database, { organizationId, projectId })
  const other = await seedWorkflow(database, { organizationId, projectId: otherProjectId })
  const tool = (workflow_id: string) => [{ type: 'workflow', name: 'flow', workflow_id }]
  expect(await create(tool(mine), { projectId })).toMatchObject({ status: 201 })
  expect(await create(tool(other), { projectId })).toMatchObject(
    refusal('workflow_id', 'belongs to another project than the agent'),
  )
  expect(await create(tool(other))).toMatchObject({ status: 201 })
})

test('agents do not run each other in a cycle', async () => {
  const first = await setting.agent()
  const second = await setting.agent({ tools: [agentTool(first.agentId)] })
  const third = await setting.agent({ tools: [agentTool(second.agentId)] })
  for (const { agentId } of [first, second, third]) {
    const body = { config: { tools: [agentTool(agentId)] } }
    expect(await setting.server.call(`PUT /api/v1/agents/${first.agentId}`, { body })).toMatchObject(
      refusal('agent_id', 'creates a cycle: the agent would call itself'),
    )
  }
})
