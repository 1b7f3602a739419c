import { startPath } from '@troupe/operations/first-sign-in/start-link'
import { ownOrigin } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seedPlayground } from '../../boot/seed-playground.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server[Symbol.asyncDispose]())

const get = (url: string, cookie = '') => server.app.inject({ method: 'GET', url, headers: { cookie } })
const post = (url: string, fields: Record<string, string> = {}) =>
  server.app.inject({
    method: 'POST',
    url,
    headers: { origin: ownOrigin(server), 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
const link = async () => {
  const { database, newId, clock } = server.context
  return startPath({ database, newId, now: () => clock.now() })
}
const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers['set-cookie']]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')

test('the printed link signs in as the owner of the Playground, once', async () => {
  await seedPlayground(server.context, 'on')
  const path = String(await link())
  expect(path).toMatch(/^\/start\/[\w-]{43}$/)
  // With `no-referrer`, browsers would send the form with the origin `null`, which is refused.
  expect((await get(path)).headers['referrer-policy']).toBe('same-origin')
  // GET requests, such as those of link scanners, do not use it up.
  for (const _ of [1, 2]) expect((await get(path)).body).toContain('Open the Playground')
  const [first, second] = await Promise.all([post(path), post(path)])
  const opened = first?.statusCode === 303 ? first : second
  expect([first?.statusCode, second?.statusCode].toSorted()).toEqual([303, 404])
  expect(opened?.headers.location).toBe('/')
  const person = await server.context.people.signedIn({ cookie: opened ? cookieOf(opened) : '' })
  const playground = await server.context.database.read.organizations.bySlug('playground')
  expect(person?.memberships).toEqual([{ organizationId: playground?.id, role: 'owner' }])
  expect((await get(path)).statusCode).toBe(404)
  expect(await link()).toBeNull()
})

test('a newer link replaces the previous one, and the first sign-in by password invalidates both', async () => {
  const seeded = await seedPlayground(server.context, 'on')
  const [former, newer] = [String(await link()), String(await link())]
  expect((await get(former)).statusCode).toBe(404)
  expect((await get(newer)).statusCode).toBe(200)
  const { email = '', password = '' } = seeded?.owner ?? {}
  expect((await post('/sign-in', { email, password })).statusCode).toBe(303)
  expect((await get(newer)).statusCode).toBe(404)
  expect((await post(newer)).statusCode).toBe(404)
  expect(await link()).toBeNull()
})

test('expired, invented and malformed links get the same response', async () => {
  await seedPlayground(server.context, 'on')
  const path = String(await link())
  const { signIn } = server.context.database
  const isLink = { field: 'value', operator: 'eq', value: 'start', connector: 'AND' } as const
  await signIn.update('verification', [isLink], { expiresAt: new Date(0) })
  const answers = await Promise.all(
    [path, `/start/${'a'.repeat(43)}`, '/start/nonsense'].map((one) => get(one)),
  )
  for (const { statusCode, body } of answers) expect([statusCode, body]).toEqual([404, answers[0]?.body])
  expect(answers[0]?.body).toContain('A start link works once, for 15 minutes')
  expect(answers[0]?.body).toContain('href="/sign-in"')
  expect((await post(path)).statusCode).toBe(404)
})

test('without a Playground, the admin token creates the first organization and its owner', async () => {
  expect(await link()).toBe('/setup')
  expect((await get('/setup')).statusCode).toBe(200)
  const fields = {
    token: server.adminToken,
    organization: 'Café Müller',
    name: 'Ana',
    email: 'ana@mueller.test',
    password: 'a fine password',
  }
  const refused = await post('/setup', { ...fields, token: 'a guess', email: 'nobody' })
  expect(refused.statusCode).toBe(400)
  expect(refused.body).toContain('neither the setup token nor the admin token')
  expect(refused.body).toContain('not an e-mail address')
  expect(refused.body).not.toContain('a fine password')
  const made = await post('/setup', fields)
  expect([made.statusCode, made.headers.location]).toEqual([303, '/'])
  const person = await server.context.people.signedIn({ cookie: cookieOf(made) })
  const organization = await server.context.database.read.organizations.bySlug('cafe-muller')
  expect(organization?.name).toBe('Café Müller')
  expect(person).toMatchObject({
    name: 'Ana',
    memberships: [{ organizationId: organization?.id, role: 'owner' }],
  })
  const late = await get('/setup')
  expect([late.statusCode, late.body]).toEqual([404, expect.stringContaining('This server is set up')])
  expect((await post('/setup', fields)).statusCode).toBe(404)
})

test('the setup token creates the first owner, and nothing else', async () => {
  const SETUP = 'f3b09ad87c1e4625b9d08f1a2c3e4d57'
  await using own = await startTestServer({ env: { TROUPE_SETUP_TOKEN: SETUP } })
  const send = (token: string) =>
    own.app.inject({
      method: 'POST',
      url: '/setup',
      headers: { origin: ownOrigin(own), 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        token,
        organization: 'Acme',
        name: 'Ana',
        email: 'ana@acme.test',
        password: 'a fine password',
      }).toString(),
    })
  const asOperator = await own.app.inject({
    method: 'GET',
    url: '/api/builder/bundles',
    headers: { authorization: `Bearer ${SETUP}` },
  })
  expect([(await send(`${SETUP}x`)).statusCode, asOperator.statusCode]).toEqual([400, 401])
  expect((await send(SETUP)).statusCode).toBe(303)
  expect((await send(SETUP)).statusCode).toBe(404)
})

test('setup is closed if the Playground has an owner', async () => {
  await seedPlayground(server.context, 'on')
  expect((await get('/setup')).statusCode).toBe(404)
})
