import { propertyOf } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asOperator } from '../builder/builder-caller.ts'
import { ShopSetting, toolTexts } from './shop-setting.ts'

let setting: ShopSetting
beforeAll(async () => {
  setting = await ShopSetting.start()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.reset())

/** The schemas of the tools in the last request to the model, by name. */
function sentSchemas(): Record<string, unknown> {
  const tools = propertyOf(setting.run.model.requests.at(-1)?.body, 'tools')
  const functions = Array.isArray(tools) ? tools.map((tool: unknown) => propertyOf(tool, 'function')) : []
  return Object.fromEntries(functions.map((one) => [propertyOf(one, 'name'), propertyOf(one, 'parameters')]))
}

/** Keywords as drafts 3 and 4, OpenAPI 3.0 and mistakes write them. OpenAI refuses the whole request for any of them. */
const WRONG = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 5, exclusiveMinimum: true, required: true },
    any: { type: 'any', example: 'x' },
    nested: { type: 'object', properties: [] },
    tags: { type: 'array', items: [{ type: 'string' }] },
    note: { type: 'string', nullable: true, enum: [] },
    other: true,
    gone: { $ref: '#/definitions/gone' },
  },
}
const READ = {
  type: 'object',
  properties: {
    count: { type: 'integer', exclusiveMinimum: 5 },
    any: {},
    nested: { type: 'object', properties: {} },
    tags: { type: 'array', prefixItems: [{ type: 'string' }], items: {} },
    note: { type: ['string', 'null'] },
    other: {},
    gone: {},
  },
  required: ['count'],
}

test('schemas of tools written by hand, of documents and of answers reach a provider as JSON Schema, and arguments are checked against them', async () => {
  setting.shop.answer((request, response) => response.end(request.url))
  const document = {
    openapi: '3.0.3',
    servers: [{ url: setting.shop.origin }],
    paths: {
      '/orders': {
        post: { operationId: 'order', requestBody: { content: { 'application/json': { schema: WRONG } } } },
      },
    },
  }
  const { agentId } = await setting.run.agent({
    tools: [
      { type: 'http', name: 'send', method: 'POST', url: `${setting.shop.origin}/send`, input_schema: WRONG },
      { type: 'code', name: 'sum', source: 'export default () => 1', input_schema: WRONG },
      { type: 'openapi', name: 'api', document },
      setting.tool(),
    ],
    execution: { output: { mode: 'json_schema', schema: { ...WRONG, type: ['any'] } } },
  })
  const call = (count: unknown) => ({ toolCalls: [{ name: 'send', arguments: { count } }] })
  setting.run.model.script(call(5), call(6), 'Done.', '{"count": 6}')
  const { status, body } = await setting.run.run(agentId, { message: 'x', include_messages: true })
  expect(status).toBe(200)
  const format = propertyOf(setting.run.model.requests.at(-1)?.body, 'response_format')
  expect(propertyOf(propertyOf(format, 'json_schema'), 'schema')).toEqual({ ...READ, type: undefined })
  setting.run.model.requests.splice(1)
  const { send, sum, order, get_order } = sentSchemas()
  expect(send).toEqual(READ)
  expect(sum).toEqual(READ)
  expect(order).toMatchObject({ properties: READ.properties, required: ['count'] })
  expect(get_order).toEqual(setting.tool().input_schema)
  expect(toolTexts(body)).toEqual([expect.stringContaining('"code":"invalid_arguments"'), '/send'])
})

test('a tool of a document with a used name is prefixed with the name of its configuration, and configured names are unchanged', async () => {
  setting.shop.answer((request, response) => response.end(request.url))
  const document = (path: string) => ({
    openapi: '3.0.3',
    servers: [{ url: setting.shop.origin }],
    paths: {
      [path]: { get: { operationId: 'get_order' } },
      [`${path}/all`]: { get: { operationId: 'list' } },
    },
  })
  const { agentId } = await setting.run.agent({
    tools: [
      { type: 'openapi', name: 'crm', document: document('/crm') },
      { type: 'openapi', name: 'erp', document: document('/erp') },
      setting.tool(),
    ],
  })
  const call = (name: string, args = {}) => ({ toolCalls: [{ name, arguments: args }] })
  setting.run.model.script(
    call('crm_get_order'),
    call('erp_get_order'),
    call('erp_list'),
    call('get_order', { id: '7' }),
    'Done.',
  )
  const { body } = await setting.run.run(agentId, { message: 'x', include_messages: true })
  expect(Object.keys(sentSchemas())).toEqual([
    'crm_get_order',
    'list',
    'erp_get_order',
    'erp_list',
    'get_order',
  ])
  expect(toolTexts(body)).toEqual(['/crm', '/erp', '/erp/all', '/orders/7'])
})

test('a save reports omitted operations of a document, and keywords that are interpreted differently', async () => {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: setting.shop.origin }],
    paths: {
      '/a': { get: { operationId: 'a' } },
      '/b': { post: { operationId: 'b', requestBody: { content: { 'image/png': {} } } } },
    },
  }
  const input_schema = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1, exclusiveMinimum: true } },
  }
  const tools = [
    { type: 'openapi', name: 'api', document },
    { type: 'code', name: 'sum', source: 'export default () => 1', input_schema },
  ]
  const execution = { output: { mode: 'json_schema', schema: { type: 'any' } } }
  const warnings = [
    {
      path: 'config.tools.0.document',
      message: 'offers no tool b: Its body is image/png, which is not supported.',
    },
    {
      path: 'config.tools.1.input_schema.properties.n.exclusiveMinimum',
      message: 'was true, as in draft 4, and is read as 1',
    },
    { path: 'config.execution.output.schema.type', message: 'cannot be "any" and is omitted' },
  ]
  const { call } = setting.run.server
  const created = await call('POST /api/v1/agents', { body: { name: 'A', config: { tools, execution } } })
  expect(created).toMatchObject({ status: 201, body: { warnings } })
  const path = `/api/v1/agents/${propertyOf(created.body, 'agentId')}`
  expect((await call(`GET ${path}`)).body).not.toHaveProperty('warnings')
  expect((await call(`PUT ${path}`, { body: { name: 'B' } })).body).not.toHaveProperty('warnings')
  expect((await call(`PUT ${path}`, { body: { config: { tools: [tools[0]] } } })).body).toMatchObject({
    warnings: [warnings[0], warnings[2]],
  })
  const built = await asOperator(setting.run.server).send('POST /agents', { name: 'C', config: { tools } })
  expect(built).toMatchObject({ status: 201, body: { warnings: warnings.slice(0, 2) } })
  expect(
    await call('POST /api/v1/agents', { body: { name: 'D', config: { tools: [setting.tool()] } } }),
  ).not.toHaveProperty('body.warnings')
})

test('an argument with a name that a provider refuses is offered under another name, and the server gets the original', async () => {
  setting.shop.answer((request, response) => response.end(request.url))
  const input_schema = {
    type: 'object',
    properties: { 'filter[id]': { type: 'string' } },
    required: ['filter[id]'],
  }
  const { agentId } = await setting.run.agent({
    tools: [{ type: 'http', name: 'list', method: 'GET', url: `${setting.shop.origin}/list`, input_schema }],
  })
  setting.run.model.script({ toolCalls: [{ name: 'list', arguments: { filter_id_: '7' } }] }, 'Done.')
  const { body } = await setting.run.run(agentId, { message: 'x', include_messages: true })
  expect(sentSchemas()).toEqual({
    list: { type: 'object', properties: { filter_id_: { type: 'string' } }, required: ['filter_id_'] },
  })
  expect(toolTexts(body)).toEqual(['/list?filter%5Bid%5D=7'])
})

test('a save reports omitted parts of a document at an address, and succeeds when the address is unavailable', async () => {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: '/' }],
    paths: {
      '/a': { get: { operationId: 'a' } },
      '/b': { post: { operationId: 'b', requestBody: { content: { 'image/png': {} } } } },
    },
  }
  setting.shop.answer((request, response) =>
    request.url === '/openapi.json' ? response.end(JSON.stringify(document)) : response.writeHead(503).end(),
  )
  const tools = ['/openapi.json', '/away', '/openapi.json'].map((path, index) => ({
    ...{ type: 'openapi', name: `api${index}` },
    spec_url: `${setting.shop.origin}${path}`,
  }))
  const { call } = setting.run.server
  const created = await call('POST /api/v1/agents', { body: { name: 'A', config: { tools } } })
  expect(created).toMatchObject({ status: 201, body: { name: 'A' } })
  const leftOut = 'offers no tool b: Its body is image/png, which is not supported.'
  expect(propertyOf(created.body, 'warnings')).toEqual([
    { path: 'config.tools.0.spec_url', message: leftOut },
    {
      path: 'config.tools.1.spec_url',
      message: 'offers no tools now: The address of the document answered with status 503.',
    },
    { path: 'config.tools.2.spec_url', message: leftOut },
  ])
  // Each address is requested once.
  expect(setting.shop.seen.map(({ url }) => url).toSorted()).toEqual(['/away', '/openapi.json'])
})
