import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { ownOrigin, seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A service of the operator that listens on this machine, such as the admin port of another process. */
let neighbour: Server
let url: string
beforeAll(async () => {
  neighbour = createServer((_request, response) => response.end('private')).listen(0, '127.0.0.1')
  await once(neighbour, 'listening')
  const address = neighbour.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
})
afterAll(() => {
  neighbour.closeAllConnections()
  neighbour.close()
})

const signInAs = (
  server: TestServer,
  email: string,
  password: string,
  headers: Record<string, string> = {},
) =>
  server.app.inject({
    method: 'POST',
    url: '/sign-in',
    headers: { origin: ownOrigin(server), 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ email, password }).toString(),
  })

describe('100 wrong passwords of a stranger do not lock anybody else out', () => {
  const STRANGER = { 'x-forwarded-for': '203.0.113.7' }
  const OTHER = { 'x-forwarded-for': '198.51.100.9' }

  test.each([
    ['a proxy that reports addresses', {}, STRANGER, OTHER],
    [
      'a proxy that reports addresses behind a public URL',
      { TROUPE_PUBLIC_URL: 'https://troupe.test' },
      STRANGER,
      OTHER,
    ],
    [
      'a proxy that reports the protocol only',
      {},
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-proto': 'https' },
    ],
    [
      'a proxy that reports nothing, behind a public URL',
      { TROUPE_PUBLIC_URL: 'https://troupe.test' },
      {},
      {},
    ],
    [
      'a proxy outside of the trusted networks, such as podman has it beside the defaults of the compose files',
      { TROUPE_TRUSTED_PROXIES: '172.16.0.0/12', TROUPE_PUBLIC_URL: 'https://troupe.test' },
      STRANGER,
      OTHER,
    ],
    ['a trusted proxy', { TROUPE_TRUSTED_PROXIES: 'loopback' }, STRANGER, OTHER],
  ] as const)('%s', async (_name, env, stranger, other) => {
    await using server = await startTestServer({ env })
    const { email, password } = await seedPerson(server.context.database, {
      organizationId: server.seed.organizationId,
    })
    // The max concurrent requests of one visitor.
    for (let sent = 0; sent < 120; sent += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          signInAs(server, `${sent + n}@acme.test`, 'a wrong password', stranger),
        ),
      )
      if (sent < 100) expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
    }
    expect((await signInAs(server, email, password, other)).statusCode).toBe(303)
  })

  test('made-up addresses do not bypass the limit of an account', async () => {
    await using server = await startTestServer()
    const { email, password } = await seedPerson(server.context.database, {
      organizationId: server.seed.organizationId,
    })
    for (let n = 0; n < 101; n += 1) {
      await signInAs(server, email, 'a wrong password', { 'x-forwarded-for': `203.0.${n}.7` })
    }
    expect((await signInAs(server, email, password, OTHER)).statusCode).toBe(429)
  })
})

describe('services on this machine', () => {
  const reach = (server: TestServer) =>
    server.context.outgoing.fetch(url).then(
      async (response) => response.text(),
      (error: Error) => String((error.cause as Error | undefined)?.name ?? error.name),
    )

  test('are unreachable for tenants behind a proxy, even if HOST has its default', async () => {
    await using behind = await startTestServer({ env: { TROUPE_PUBLIC_URL: 'https://troupe.test' } })
    expect(await reach(behind)).toBe('BlockedAddressError')
    await using trusted = await startTestServer({ env: { TROUPE_TRUSTED_PROXIES: '127.0.0.1' } })
    expect(await reach(trusted)).toBe('BlockedAddressError')
  })

  test('are reachable on a laptop until a proxy is detected, including open connections', async () => {
    await using server = await startTestServer()
    expect(await reach(server)).toBe('private')
    await server.call('GET /healthz', { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect(await reach(server)).toBe('BlockedAddressError')
  })

  test('stay reachable if the operator configured it', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    await using asked = await startTestServer({
      env: { TROUPE_PUBLIC_URL: 'https://troupe.test', TROUPE_ALLOWED_NETWORKS: 'loopback' },
    })
    await asked.call('GET /healthz', { headers })
    expect(await reach(asked)).toBe('private')
    await using stated = await startTestServer({ env: { TROUPE_EXPOSURE: 'local' } })
    await stated.call('GET /healthz', { headers })
    expect(await reach(stated)).toBe('private')
  })
})

test('every response has HSTS if the public URL is https', async () => {
  await using secure = await startTestServer({ env: { TROUPE_PUBLIC_URL: 'https://troupe.test' } })
  const told = async (server: TestServer, url: string) =>
    (await server.app.inject({ url })).headers['strict-transport-security']
  for (const path of ['/healthz', '/sign-in', '/nope', '/api/v1/agents', '/api/v1/%ff']) {
    expect([path, await told(secure, path)]).toEqual([path, 'max-age=31536000'])
  }
  await using plain = await startTestServer()
  expect(await told(plain, '/sign-in')).toBeUndefined()
})
