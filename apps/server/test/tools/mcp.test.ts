import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EverythingServer, startEverythingServer } from './everything-server.ts'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

const resources = new AsyncDisposableStack()
let setting: ToolSetting
let everything: EverythingServer
beforeAll(async () => {
  everything = resources.use(await startEverythingServer())
  setting = resources.use(await startToolSetting())
})
afterAll(() => resources.disposeAsync())
beforeEach(() => setting.model.reset())

const mcp = (more: object = {}) => ({ type: 'mcp', url: everything.url, prefix: 'every', ...more })
const names = () =>
  (setting.model.requests[0]?.body.tools ?? []).map(
    (tool) => (tool as { function: { name: string } }).function.name,
  )
const call = () => setting.calls('every_echo', { message: 'hello' })

test('an agent uses the tools of the reference server in a synchronous run, a stream and a job', async () => {
  const { agentId } = await setting.agent({ tools: [mcp()] })
  setting.model.script(call(), setting.calls('every_get-sum', { a: 2, b: 3 }), 'Done.')
  expect((await setting.answer(agentId, 'x')).content).toBe('Done.')
  expect(setting.lastResult()).toMatch(/5/)
  expect(JSON.stringify(setting.model.requests[1]?.body.messages)).toContain('hello')
  expect(names()).toContain('every_echo')

  setting.model.script(call(), 'Done.')
  expect(await setting.events(agentId, 'x')).toContainEqual(
    expect.objectContaining({
      event: 'ToolCallCompleted',
      toolName: 'every_echo',
      result: expect.stringContaining('hello'),
    }),
  )

  setting.model.script(call(), 'Done.')
  expect(await setting.ended(await setting.enqueue(agentId, 'x'))).toMatchObject({ status: 'completed' })
})

test('allow and deny choose the tools, and arguments are checked before they are sent', async () => {
  const { agentId } = await setting.agent({ tools: [mcp({ allow: ['echo', 'get-sum'], deny: ['get-sum'] })] })
  setting.model.script(setting.calls('every_echo', { message: 5 }), 'Done.')
  await setting.answer(agentId, 'x')
  expect(names()).toEqual(['every_echo'])
  expect(setting.lastResult()).toContain('invalid_arguments')
})

test('a server that cannot be reached is skipped, or fails the run before its first model call', async () => {
  const dead = { ...mcp({ url: 'http://127.0.0.1:1/mcp' }), name: 'crm' }
  const skipping = await setting.agent({ tools: [dead] })
  setting.model.script('Without tools.')
  expect((await setting.answer(skipping.agentId, 'x')).content).toBe('Without tools.')
  setting.model.reset()
  const failing = await setting.agent({ tools: [{ ...dead, on_unavailable: 'fail' }] })
  expect(await setting.run(failing.agentId, { message: 'x' })).toMatchObject({
    status: 502,
    body: {
      error: 'upstream_error',
      message:
        'The MCP server crm is unavailable: It cannot be reached, or does not speak MCP over Streamable HTTP.',
    },
  })
  expect(setting.model.requests).toEqual([])
})

test('a header needs its value in tool_context', async () => {
  const headers = { authorization: 'Bearer {{ context.token }}' }
  const tool = mcp({ headers, context_keys: [{ key: 'token' }], on_unavailable: 'fail' })
  const { agentId } = await setting.agent({ tools: [tool] })
  expect(await setting.run(agentId, { message: 'x' })).toMatchObject({
    status: 502,
    body: { message: expect.stringContaining('Its headers need token in tool_context.') },
  })
  setting.model.script(call(), 'Done.')
  await setting.answer(agentId, 'x', { tool_context: { token: 'secret-token' } })
  expect(setting.lastResult()).toContain('hello')
})
