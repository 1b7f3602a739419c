import type { AgentRunResult } from '@troupe/contract'
import { largeDocument } from '@troupe/tools/testing/large-document'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunSetting } from '../runs/model-agent.ts'
import type { ShopServer } from './shop-server.ts'
import { ShopSetting, toolTexts } from './shop-setting.ts'

let shopping: ShopSetting
let setting: RunSetting
let shop: ShopServer
beforeAll(async () => {
  shopping = await ShopSetting.start()
  setting = shopping.run
  shop = shopping.shop
})
afterAll(() => shopping[Symbol.asyncDispose]())
beforeEach(() => shopping.reset())

const ID = '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e'

test('operations of a document of more than a megabyte are tools, and it is fetched once for all runs', async () => {
  shop.answer((request, response) => {
    if (request.url === '/openapi.json') response.end(largeDocument(`${shop.origin}/v1`))
    else response.end(`${request.method} ${request.url}`)
  })
  const operations = ['getResource7', 'createResource500']
  const tool = {
    type: 'openapi',
    name: 'api',
    spec_url: `${shop.origin}/openapi.json`,
    operations,
    prefix: 'big',
  }
  const { agentId } = await setting.agent({ tools: [tool] })
  const call = { toolCalls: [{ name: 'big_getResource7', arguments: { id: ID } }] }
  const create = { toolCalls: [{ name: 'big_createResource500', arguments: { field_0: 'a' } }] }
  const wrong = { toolCalls: [{ name: 'big_createResource500', arguments: { field_1: 'a' } }] }
  setting.model.script(call, wrong, create, 'Done.')
  const { status, body } = await setting.run(agentId, { message: 'x', include_messages: true })
  expect([status, (body as AgentRunResult).content]).toEqual([200, 'Done.'])
  expect(toolTexts(body)).toEqual([
    `GET /v1/resources-7/${ID}`,
    expect.stringContaining('"code":"invalid_arguments"'),
    'POST /v1/resources-500',
  ])
  expect(shop.seen.at(-1)?.body).toBe('{"field_0":"a"}')
  setting.model.script('Again.')
  await setting.run(agentId, { message: 'x' })
  // Once when the agent was saved, for the warnings, and once for both runs.
  expect(shop.seen.filter(({ url }) => url === '/openapi.json')).toHaveLength(2)
})

test('an unreadable document leaves a tool that returns the reason, and the run continues', async () => {
  shop.answer((_request, response) => response.writeHead(404).end())
  const { agentId } = await setting.agent({
    tools: [{ type: 'openapi', name: 'api', spec_url: `${shop.origin}/gone.json` }],
  })
  setting.model.script({ toolCalls: [{ name: 'api', arguments: {} }] }, 'Not there.')
  const { body } = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(body).toMatchObject({ content: 'Not there.' })
  expect(toolTexts(body)).toEqual([
    '{"error":{"code":"unavailable","message":"The address of the document answered with status 404."}}',
  ])
})

test('a document of the configuration may be text, and schemas of arguments are checked when they are saved', async () => {
  shop.answer((request, response) => response.end(request.url))
  const document = `openapi: 3.1.0
servers: [{ url: ${shop.origin} }]
paths:
  /orders: { get: { operationId: listOrders, parameters: [{ name: "filter[state]", in: query }] } }
`
  const { agentId } = await setting.agent({ tools: [{ type: 'openapi', name: 'api', document }] })
  const call = { toolCalls: [{ name: 'listOrders', arguments: { filter_state_: 'open' } }] }
  setting.model.script(call, 'Listed.')
  const { body } = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(toolTexts(body)).toEqual(['/orders?filter%5Bstate%5D=open'])

  const input_schema = { type: 'object', properties: { id: { type: 'string', pattern: '(?=a)' } } }
  const http = { type: 'http', name: 'get', method: 'GET', url: 'https://a.test/{id}', input_schema }
  const refused = await setting.server.call('POST /api/v1/agents', {
    body: { name: 'A', config: { tools: [http] } },
  })
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'config.tools.0.input_schema.properties.id.pattern' }] },
  })
})
