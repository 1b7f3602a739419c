import { readFileSync } from 'node:fs'
import { createClient } from '@troupe/client'
import { typedKeys, validatorOf } from '@troupe/contract'
import { publicDocument } from '@troupe/http/openapi/documents/public-document'
import { expect, test } from 'vitest'
import { CLIENT_CALLS } from './client-calls.ts'
import { codeExamples, snakeCase } from './code-examples.ts'
import { credentialOf, exampleRequest, type PlacedOperation } from './example-request.ts'

const SERVER = 'https://troupe.test'
const { paths, components } = publicDocument(SERVER)
const placed = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, PlacedOperation] => [
      operation.operationId,
      { method: method.toUpperCase(), path, serverUrl: SERVER, operation },
    ]),
  ),
)
const examplesOf = (id: string) => {
  const one = placed.get(id)
  if (!one) throw new Error(`There is no operation ${id}.`)
  return codeExamples(one, components.schemas)
}

/** The functions of a client by their paths, such as `agents.run`. */
function callsOf(client: object, prefix = ''): [string, (...args: unknown[]) => Promise<unknown>][] {
  return Object.entries(client).flatMap(([name, part]) =>
    typeof part === 'function' ? [[`${prefix}${name}`, part]] : callsOf(part, `${prefix}${name}.`),
  )
}

test('the example’s client call sends the request of the operation', async () => {
  const sent: string[] = []
  const client = createClient({
    baseUrl: SERVER,
    apiKey: 'trp_test',
    fetch: async (url, options) => {
      sent.push(`${options?.method ?? 'GET'} ${String(url)}`)
      return Response.json({ error: 'not_found', message: 'Nothing.' }, { status: 404 })
    },
  })
  const calls = new Map(callsOf(client))
  expect(Object.values(CLIENT_CALLS).toSorted()).toEqual([...calls.keys()].toSorted())
  for (const id of typedKeys(CLIENT_CALLS)) {
    const one = placed.get(id)
    if (!one) throw new Error(`There is no operation ${id}.`)
    const { method, url, ids, body, query } = exampleRequest(one, components.schemas)
    sent.length = 0
    await calls.get(CLIENT_CALLS[id] ?? '')?.(...ids, body?.kind === 'json' ? body.value : query)
    expect([id, sent]).toEqual([id, [`${method} ${url}`]])
  }
})

test('a Python example calls a method of the Python client, or httpx', () => {
  const source = readFileSync(
    new URL('../../../../../clients/python/troupe/operations.py', import.meta.url),
    'utf8',
  )
  for (const [id, { operation }] of placed) {
    const { python } = examplesOf(id)
    if (credentialOf(operation) !== 'apiKey' || python.includes('httpx')) {
      expect([id, python]).toEqual([id, expect.stringContaining('httpx.')])
      continue
    }
    expect(source).toContain(`    def ${snakeCase(id)}(`)
    expect(python).toContain(`client.${snakeCase(id)}(`)
  }
})

test('the body of every example is valid for its operation', () => {
  const bodies = [...placed].flatMap(([id, one]) => {
    const { body } = exampleRequest(one, components.schemas)
    const schema = one.operation.requestBody?.content['application/json']?.schema
    return body?.kind === 'json' && schema ? [{ id, body: body.value, schema }] : []
  })
  expect(bodies.length).toBeGreaterThan(20)
  for (const { id, body, schema } of bodies) {
    expect([id, validatorOf({ ...schema, components })(body)]).toEqual([id, { ok: true, value: body }])
  }
})

test('the same request in three languages', () => {
  const { curl, typescript, python } = examplesOf('runAgent')
  expect(
    curl,
  ).toBe(`curl -X POST "https://troupe.test/api/v1/agents/0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50/run" \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"message":"Say hello in French."}'`)
  expect(typescript).toContain(
    `await unwrap(client.agents.run('0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50', { message: 'Say hello in French.' }))`,
  )
  expect(python).toContain(
    `client.run_agent("0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50", message="Say hello in French.")`,
  )
})

test('a file is uploaded as a form in every language', () => {
  const { curl, typescript, python } = examplesOf('uploadFormFile')
  expect(curl).toContain('-F "file=@report.pdf"')
  expect(typescript).toContain("form.append('file', await openAsBlob('report.pdf'), 'report.pdf')")
  expect(python).toContain('files={"file": open("report.pdf", "rb")}')
})

test('an event stream is read event by event', () => {
  const { curl, typescript, python } = examplesOf('runAgentStream')
  expect(curl).toMatch(/^curl -N -X POST/)
  expect(typescript).toContain('for await (const event of stream)')
  expect(python).toContain('for event in client.run_agent_stream(')
})

test('an operation with an optional stream is shown without one', () => {
  const { curl, python } = examplesOf('createChatCompletion')
  expect(curl).toMatch(/^curl -X POST/)
  expect(python).toContain('json={"model": "Writer", "messages": [{"role": "user"')
})
