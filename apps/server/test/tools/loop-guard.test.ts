import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const CALCULATOR = { type: 'builtin', name: 'calculate', builtin: 'calculator' }

/** The results in the last request to the model. */
function results(): unknown[] {
  const { messages } = setting.model.requests.at(-1)?.body ?? {}
  return (messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content)
}

test.for([
  2, 4,
])('an agent and the node of a workflow stop repeating at the stored repeat_limit: %i', async (limit) => {
  const execution = { loop_guard: { repeat_limit: limit } }
  const { agentId } = await setting.agent({ tools: [CALCULATOR], execution })
  const again = setting.calls('calculate', { expression: '1 + 1' })
  const script = [...Array.from({ length: limit }, () => again), 'Two.']
  const shown = [
    ...Array.from({ length: limit - 1 }, () => '2'),
    expect.stringContaining('"code":"repeated"'),
  ]

  setting.model.script(...script)
  expect(await setting.answer(agentId, 'x')).toMatchObject({ content: 'Two.' })
  expect(results()).toEqual(shown)

  setting.model.reset()
  setting.model.script(...script)
  const { server } = setting
  const { organizationId } = server.seed
  const graph = {
    nodes: [node('start', 'manual-trigger'), node('agent', 'ai-agent', { agentId, message: 'x' })],
    edges: [edge('start', 'agent')],
  }
  const id = await seedWorkflow(server.context.database, { organizationId, projectId: null, graph })
  const { body } = await server.call(`POST /api/v1/workflows/${id}/run`, { body: { input: {} } })
  expect(body).toMatchObject({ status: 'completed' })
  expect(results()).toEqual(shown)
})
