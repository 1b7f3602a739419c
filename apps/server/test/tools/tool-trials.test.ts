import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOperator } from '../builder/builder-caller.ts'
import { SECRET, ShopSetting } from './shop-setting.ts'

let setting: ShopSetting
beforeAll(async () => {
  setting = await ShopSetting.start()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.reset())

describe('POST /tools/test', () => {
  const tryTool = (body: object, key = setting.run.server.seed.keys.organization) =>
    setting.run.server.call('POST /api/v1/tools/test', { body, key })

  test('calls a tool with its credential and context, without a model', async () => {
    setting.shop.answer((request, response) =>
      response.end(`${request.headers.authorization} ${request.headers['x-shop']}`),
    )
    const tested = setting.tool({
      auth_credential_id: await setting.credential(),
      headers: { 'x-shop': '{{ context.shop }}' },
      context_keys: [{ key: 'shop' }],
    })
    const body = { tool: tested, arguments: { id: '7' }, tool_context: { shop: 'Bikes of Bern' } }
    expect(await tryTool(body)).toEqual({
      status: 200,
      headers: expect.anything(),
      body: { ok: true, result: 'Bearer [hidden] [hidden]', ms: expect.any(Number) },
    })
    expect(setting.shop.seen).toMatchObject([
      { url: '/orders/7', headers: { authorization: `Bearer ${SECRET}`, 'x-shop': 'Bikes of Bern' } },
    ])
    expect(setting.run.model.requests).toEqual([])
  })

  test('a failure of the tool is a normal response', async () => {
    setting.shop.answer((_request, response) => response.writeHead(404).end('no such order'))
    expect((await tryTool({ tool: setting.tool(), arguments: { id: '7' } })).body).toEqual({
      ok: false,
      error: { code: 'http_404', message: 'The server answered with status 404.', body: 'no such order' },
      ms: expect.any(Number),
    })
    expect(await tryTool({ tool: setting.tool() })).toMatchObject({
      status: 200,
      body: { ok: false, error: { code: 'invalid_arguments' } },
    })
    setting.shop.answer(() => {})
    expect(
      (await tryTool({ tool: setting.tool({ timeout_ms: 100 }), arguments: { id: '7' } })).body,
    ).toMatchObject({
      error: { code: 'timeout' },
    })
    const dead = { type: 'mcp', url: 'http://127.0.0.1:1/mcp' }
    expect((await tryTool({ tool: dead })).body).toMatchObject({ ok: false, error: { code: 'unavailable' } })
  })

  describe('of an OpenAPI document', () => {
    const document = (count: number) => ({
      openapi: '3.1.0',
      servers: [{ url: setting.shop.origin }],
      paths: Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`/${n}`, { get: { operationId: `op${n}` } }]),
      ),
    })
    const api = (from: object) => ({ type: 'openapi', name: 'api', ...from })
    const names = (count: number, prefix = '') =>
      Array.from({ length: count }, (_, n) => `${prefix}op${n}`).join(', ')

    test('an unreadable one is unavailable, including for a list of its operations', async () => {
      setting.shop.answer((_request, response) => response.writeHead(404).end())
      const message = 'The address of the document answered with status 404.'
      for (const name of ['?', 'api', undefined]) {
        const tool = api({ spec_url: `${setting.shop.origin}/gone.json` })
        expect((await tryTool({ tool, ...(name ? { name } : {}) })).body).toMatchObject({
          ok: false,
          error: { code: 'unavailable', message },
        })
      }
      expect((await tryTool({ tool: api({ document: 'neither: [JSON' }), name: '?' })).body).toMatchObject({
        ok: false,
        error: { code: 'unavailable', message: 'The document is neither JSON nor YAML.' },
      })
    })

    test.each([40, 70])('all %i operations are named, to choose from', async (count) => {
      setting.shop.answer((_request, response) => response.end(JSON.stringify(document(count))))
      const named = { path: 'name', message: `must be one of: ${names(count)}` }
      for (const from of [
        { spec_url: `${setting.shop.origin}/${count}.json` },
        { document: document(count) },
      ]) {
        expect(await tryTool({ tool: api(from), name: '?' })).toMatchObject({
          status: 400,
          body: { errors: [named] },
        })
      }
    })

    test('the builder lists the operations without calling one, including a single one or too many', async () => {
      const offered = async (from: object) => {
        const tool = api({ document: from, prefix: 'shop' })
        return (await asOperator(setting.run.server).send('POST /tools/offered', { tool })).body
      }
      const listed = (count: number) => names(count, 'shop_').split(', ')
      for (const count of [1, 40, 70]) {
        expect(await offered(document(count))).toEqual({ names: listed(count), leftOut: [], problem: null })
      }
      expect(setting.shop.seen).toEqual([])
      const problem = 'The document has no operations.'
      expect(await offered(document(0))).toEqual({ names: [], leftOut: [], problem })
    })

    test('an operation that cannot be sent is listed with the reason, and a test of it returns the reason', async () => {
      const whole = document(1)
      const upload = { operationId: 'upload', requestBody: { content: { 'application/octet-stream': {} } } }
      const tool = api({
        document: { ...whole, paths: { ...whole.paths, '/files': { post: upload } } },
        prefix: 'shop',
      })
      const reason = 'Its body is application/octet-stream, which is not supported.'
      const listed = await asOperator(setting.run.server).send('POST /tools/offered', { tool })
      expect(listed.body).toEqual({
        names: ['shop_op0'],
        leftOut: [{ name: 'shop_upload', reason }],
        problem: null,
      })
      expect((await tryTool({ tool, name: 'shop_upload' })).body).toMatchObject({
        ok: false,
        error: { code: 'unavailable', message: `The tool shop_upload cannot be offered: ${reason}` },
      })
      const only = { ...tool, operations: ['upload'] }
      const problem = `The operation upload cannot be offered: ${reason}`
      expect((await asOperator(setting.run.server).send('POST /tools/offered', { tool: only })).body).toEqual(
        {
          names: [],
          leftOut: [{ name: 'shop_upload', reason }],
          problem,
        },
      )
      expect((await tryTool({ tool: only })).body).toMatchObject({
        error: { code: 'unavailable', message: problem },
      })
    })

    test('the builder lists nothing of another organization, and responds as for unknown ids', async () => {
      const { seed } = setting.run.server
      const foreign = await setting.credential({ organizationId: seed.otherOrganizationId })
      const send = async (tool: object) =>
        (await asOperator(setting.run.server).send('POST /tools/offered', { tool })).body
      const withCredential = (id: string) => api({ document: document(1), auth_credential_id: id })
      const withServer = (id: string) => ({ type: 'mcp', server_id: id })
      const foreignServer = await setting.mcpServer({ organizationId: seed.otherOrganizationId })
      for (const [tool, id] of [
        [withCredential, foreign],
        [withServer, foreignServer],
      ] as const) {
        expect(await send(tool(id))).toEqual(await send(tool(randomUUID())))
        expect(await send(tool(id))).not.toHaveProperty('names')
      }
      expect(setting.shop.seen).toEqual([])
    })

    test('an operation of too many is called once it is named by the configuration', async () => {
      setting.shop.answer((request, response) => response.end(request.url))
      const whole = { document: document(70), prefix: 'shop' }
      expect(await tryTool({ tool: api(whole), name: '?' })).toMatchObject({
        body: { errors: [{ message: `must be one of: ${names(70, 'shop_')}` }] },
      })
      expect((await tryTool({ tool: api(whole), name: 'shop_op69' })).body).toMatchObject({
        error: {
          message: 'The document has more than 64 operations: name those to offer in operations.',
        },
      })
      const some = api({ ...whole, operations: ['op69'] })
      expect((await tryTool({ tool: some, name: 'shop_op69' })).body).toMatchObject({
        ok: true,
        result: '/69',
      })
    })
  })

  test('a tool that no agent could have is refused with the same errors as a save of an agent', async () => {
    const { projectId: _, ...rest } = setting.run.server.seed
    const ofOther = await setting.credential({ projectId: rest.otherProjectId })
    const cases: [object, number, string][] = [
      [{ tool: { ...setting.tool(), url: 'ftp://x' } }, 400, 'tool.url'],
      [{ tool: { type: 'code', name: 'c', source: 'const x = 1' } }, 400, 'tool.source'],
      [{ tool: setting.tool({ auth_credential_id: ofOther }) }, 422, 'tool.auth_credential_id'],
      [{ tool: { type: 'mcp', server_id: randomUUID() } }, 400, 'tool.server_id'],
      [{ tool: { type: 'workflow', name: 'w', workflow_id: randomUUID() } }, 400, 'tool.type'],
      [{ tool: setting.tool(), tool_context: { 'a b': 1 } }, 400, 'tool_context.a b'],
      [{ tool: { type: 'builtin', builtin: 'datetime' }, name: 'other' }, 400, 'name'],
    ]
    for (const [body, status, path] of cases) {
      expect(await tryTool(body, rest.keys.project)).toMatchObject({ status, body: { errors: [{ path }] } })
    }
    expect(setting.shop.seen).toEqual([])
  })
})

test('a credential that is for other hosts than the tool is refused when the agent is saved', async () => {
  const config = {
    tools: [setting.tool({ auth_credential_id: await setting.credential({ hosts: ['crm.example'] }) })],
  }
  expect(await setting.run.server.call('POST /api/v1/agents', { body: { name: 'A', config } })).toMatchObject(
    {
      status: 400,
      body: {
        error: 'validation_error',
        errors: [
          { path: 'config.tools.0.auth_credential_id', message: 'does not cover the host of the URL' },
        ],
      },
    },
  )
})

test('a document without usable operations is refused when the agent is saved', async () => {
  const tools = [
    { type: 'openapi', name: 'a', document: 'neither: [JSON' },
    { type: 'openapi', name: 'b', document: { openapi: '3.1.0', paths: {} } },
  ]
  expect(
    await setting.run.server.call('POST /api/v1/agents', { body: { name: 'A', config: { tools } } }),
  ).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          path: 'config.tools.0.document',
          message: 'cannot be used: The document is neither JSON nor YAML.',
        },
        { path: 'config.tools.1.document', message: 'cannot be used: The document has no operations.' },
      ],
    },
  })
})
