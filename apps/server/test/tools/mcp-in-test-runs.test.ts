import { propertyOf } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from '../builder/builder-caller.ts'
import { type EverythingServer, startEverythingServer } from './everything-server.ts'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

const resources = new AsyncDisposableStack()
let setting: ToolSetting
let everything: EverythingServer
let eva: BuilderClient
beforeAll(async () => {
  everything = resources.use(await startEverythingServer())
  setting = resources.use(await startToolSetting())
  eva = await asMember(setting.server, 'member', 'Eva')
})
afterAll(() => resources.disposeAsync())

async function ended(runId: string): Promise<unknown> {
  const detail = async () => (await eva.send(`GET /runs/${runId}`)).body
  await expect.poll(async () => propertyOf(await detail(), 'completedAt'), { timeout: 15_000 }).not.toBeNull()
  return detail()
}

test('tools of an MCP server are denied in a test, unless the test allows them for their step', async () => {
  const { agentId } = await setting.agent({ tools: [{ type: 'mcp', url: everything.url, prefix: 'every' }] })
  const graph = {
    nodes: [node('start', 'manual-trigger'), node('ask', 'ai-agent', { agentId, message: 'Add.' })],
    edges: [edge('start', 'ask')],
  }
  const made = await eva.send('POST /workflows', { name: 'Adds', draft: graph })
  const { workflowId, draftRevision } = made.body as { workflowId: string; draftRevision: number }
  const body = { draftRevision, scope: { kind: 'all' } }
  const plan = await eva.send(`POST /workflows/${workflowId}/test-runs/plan`, body)
  // The server's tools are known once they are refreshed; until then the server represents them.
  expect(propertyOf(plan.body, 'effects')).toMatchObject([
    { nodeId: 'ask', isAllowed: false, tools: [expect.stringMatching(/every|mcp/)] },
  ])
  const resultOf = async (allowEffects: unknown) => {
    setting.model.reset()
    setting.model.script(setting.calls('every_get-sum', { a: 2, b: 40 }), 'Done.')
    const started = await eva.send(`POST /workflows/${workflowId}/test-runs`, { ...body, allowEffects })
    expect([started.status, started.body]).toEqual([202, expect.anything()])
    expect(await ended(String(propertyOf(started.body, 'executionId')))).toMatchObject({
      status: 'completed',
    })
    return setting.lastResult()
  }
  for (const denied of [false, ['other']]) {
    const result = await resultOf(denied)
    expect(result).toContain('denied: this is a test')
    expect(result).not.toContain('42')
  }
  for (const allowed of [true, ['ask']]) expect(await resultOf(allowed)).toContain('42')
})
