import { BusyError, type HeavyWork } from '@troupe/heavy-work'
import { seedForm } from '@troupe/test-kit/seed-form'
import { ownOrigin, seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asOperator } from '../builder/builder-caller.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** Fills the slots of an owner and its queue, until it is disposed. */
async function occupied(owner: string, kind: Parameters<HeavyWork['run']>[0]['kind']) {
  const cancel = new AbortController()
  const ends = Promise.withResolvers<void>()
  const all: Promise<unknown>[] = []
  for (let full = false; !full; ) {
    const piece = server.context.heavy.run({ kind, owner, signal: cancel.signal }, () => ends.promise)
    all.push(piece.catch(() => {}))
    full = await Promise.race([
      piece.then(
        () => false,
        (error: unknown) => error instanceof BusyError,
      ),
      new Promise<false>((resolve) => setImmediate(resolve, false)),
    ])
  }
  return {
    async [Symbol.asyncDispose]() {
      cancel.abort(new Error('over'))
      ends.resolve()
      await Promise.all(all)
    },
  }
}

const BUSY = {
  status: 503,
  headers: { 'retry-after': '5' },
  body: { error: 'service_unavailable', message: expect.stringContaining('Please try again in a moment.') },
}
const script = (source: string) => ({ type: 'code', name: 'sum', description: 'Adds.', source })
/** Longer than the limit for parsing on the event loop. */
const document = {
  type: 'openapi',
  name: 'api',
  operations: ['op7'],
  document: {
    openapi: '3.1.0',
    servers: [{ url: 'https://api.test' }],
    paths: Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `/${n}`,
        { get: { operationId: `op${n}`, summary: 'x'.repeat(40) } },
      ]),
    ),
  },
}
const agentWith = (tool: object, key?: string) =>
  server.call('POST /api/v1/agents', {
    ...(key === undefined ? {} : { key }),
    body: { name: 'Heavy', config: { tools: [tool] } },
  })

describe('while the queue of an organization is full', () => {
  test('an agent with a script gets 503, another organization is served, and nothing is called invalid', async () => {
    const { organizationId, keys } = server.seed
    await using _ = await occupied(organizationId, 'script')
    expect(await agentWith(script('export default () => 1'))).toMatchObject(BUSY)
    const tool = script('export default () => 1')
    expect(await server.call('POST /api/v1/tools/test', { body: { tool, arguments: {} } })).toMatchObject(
      BUSY,
    )
    expect((await agentWith(script('export default () => 1'), keys.otherOrganization)).status).toBe(201)
    expect((await agentWith(script('const x = 1'), keys.otherOrganization)).status).toBe(400)
  })

  test('so do agents and tool tests with a large OpenAPI document', async () => {
    const { organizationId, keys } = server.seed
    await using _ = await occupied(organizationId, 'openapi')
    expect(await agentWith(document)).toMatchObject(BUSY)
    const body = { tool: document, name: 'op7', arguments: {} }
    expect(await server.call('POST /api/v1/tools/test', { body })).toMatchObject(BUSY)
    expect((await agentWith(document, keys.otherOrganization)).status).toBe(201)
  })

  test('so does a bundle, which is neither read nor called invalid', async () => {
    const { organizationId } = server.seed
    await using _ = await occupied(organizationId, 'bundle')
    const text = `# ${'x'.repeat(20_000)}\napiVersion: troupe/v1\n`
    expect(await asOperator(server).send('POST /bundle/plan', { text })).toMatchObject(BUSY)
  })
})

test('a sign-in while too many passwords are checked gets 503, and does not count as a guess', async () => {
  let isBusy = true
  const { passwords } = server.context
  const busy = new BusyError('The server has too many passwords to work on. Please try again in a moment.')
  const matches: typeof passwords.matches = (...given) =>
    isBusy ? Promise.reject(busy) : passwords.matches(...given)
  await using other = await startTestServer({
    overrides: {
      passwords: { ...passwords, matches, of: (owner) => ({ ...passwords.of(owner), matches }) },
    },
  })
  const { email, password } = await seedPerson(other.context.database, {
    organizationId: other.seed.organizationId,
  })
  const signIn = () =>
    other.app.inject({
      method: 'POST',
      url: '/sign-in',
      headers: { origin: ownOrigin(other), 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email, password }).toString(),
    })
  for (let n = 0; n < 15; n += 1) {
    const { statusCode, headers, body } = await signIn()
    expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
    expect(body).toContain('too many passwords')
  }
  // Forms respond 429 instead: their statuses are those of the public API, which has no 503 there.
  const { path } = await seedForm(other.context, {
    organizationId: other.seed.organizationId,
    config: { auth: { mode: 'basic', username: 'guest' } },
    password: 'open sesame',
  })
  const open = () =>
    other.app.inject({
      url: path,
      headers: { authorization: `Basic ${Buffer.from('guest:open sesame').toString('base64')}` },
    })
  for (let n = 0; n < 15; n += 1) {
    const answer = await open()
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      ...[429, '5'],
      { error: 'rate_limit_exceeded', message: busy.message, retry_after: 5 },
    ])
  }
  isBusy = false
  expect((await signIn()).statusCode).toBe(303)
  expect((await open()).statusCode).toBe(200)
})
