import { describe, expect, test } from 'vitest'
import { expireSession, ownOrigin, seedPerson, signIn } from '../server/seed-person.ts'
import type { TestServer } from '../server/start-test-server.ts'

/**
 * Routes for signed-in users, each with the status that a permitted user gets, so that a route that refuses
 * every caller is noticed. A new route without a row fails.
 */
const PERSON_ROUTES: Readonly<Record<string, number>> = {
  'GET /account': 200,
  'POST /account': 400,
  'POST /account/name': 400,
  'POST /account/sign-ins/:signInId': 303,
}

/** Operations of users on their own account: responses are JSON, so strangers get 401. */
const PERSON_API: Readonly<Record<string, number>> = {
  'GET /api/builder/v1/session': 200,
  'DELETE /api/builder/v1/session': 204,
  'PUT /api/builder/v1/account/name': 400,
  'PUT /api/builder/v1/account/password': 400,
  'GET /api/builder/v1/account/sign-ins': 200,
  'DELETE /api/builder/v1/account/sign-ins/:signInId': 404,
}

/** Routes without a session that still act on the browser's cookie: cross-site requests must be refused. */
const SAME_ORIGIN_ROUTES = [
  'POST /sign-in',
  'POST /api/builder/v1/session',
  'POST /sign-out',
  'POST /invitations/:token',
  'POST /setup',
  'POST /start/:token',
  'POST /reset-password',
  'POST /reset-password/:token',
]

/** Runs every route for signed-in users against every kind of visitor without access. */
export function describePersonRoutes(server: () => TestServer): void {
  const send = (route: string, headers: Record<string, string>) => {
    const [method = '', url = ''] = route.split(' ')
    return server().app.inject({ method: method as 'GET', url, headers })
  }
  const own = () => ({ origin: ownOrigin(server()) })
  const cookieOf = async () => {
    const { context, seed } = server()
    return signIn(server(), await seedPerson(context.database, { organizationId: seed.organizationId }))
  }

  test('every route for people has a row, and every row a route', () => {
    const routes = server().routes.filter(({ access, method }) => access === 'person' && method !== 'HEAD')
    const found = routes.map(({ method, url }) => `${method} ${url}`)
    const known = [...Object.keys(PERSON_ROUTES), ...Object.keys(PERSON_API)]
    expect(found.toSorted()).toEqual(known.toSorted())
  })

  const strangers: Record<string, () => Promise<string | null>> = {
    'without a cookie': async () => null,
    'with a forged cookie': async () =>
      'troupe_session=0123456789.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D',
    // The first character: the last one also has unused bits of the signature.
    'with a cookie whose signature was changed': async () =>
      (await cookieOf()).replace(/\.(.)(?=[^.]*$)/, (_, first) => (first === 'A' ? '.B' : '.A')),
    'with a session that has expired': async () => {
      const cookie = await cookieOf()
      await expireSession(server(), cookie)
      return cookie
    },
    'after signing out': async () => {
      const cookie = await cookieOf()
      expect((await send('POST /sign-out', { ...own(), cookie })).statusCode).toBe(303)
      return cookie
    },
    'with an API key': async () => null,
  }

  for (const [route, status] of Object.entries(PERSON_ROUTES)) {
    describe(route, () => {
      for (const [name, cookieOfStranger] of Object.entries(strangers)) {
        test(`a visitor ${name} is led to the sign-in page`, async () => {
          const cookie = await cookieOfStranger()
          const key = name === 'with an API key' ? { 'x-api-key': server().seed.keys.organization } : {}
          const answer = await send(route, { ...own(), ...key, ...(cookie ? { cookie } : {}) })
          expect(answer.statusCode).toBe(303)
          expect(answer.headers.location).toMatch(/^\/sign-in(\?|$)/)
        })
      }

      test('a person passes, also one who is suspended everywhere', async () => {
        const { context, seed } = server()
        const { organizationId } = seed
        const person = await seedPerson(context.database, { organizationId, status: 'suspended' })
        const cookie = await signIn(server(), person)
        const answer = await send(route, { ...own(), cookie })
        expect(answer.statusCode).toBe(status)
        const organization = await context.database.read.organizations.byId(organizationId)
        expect(answer.body).not.toContain(organization?.name ?? '')
      })

      if (route.startsWith('GET')) return
      let shared: Promise<string> | null = null
      test.each(FOREIGN)('is forbidden %s, for every person who is signed in', async (_name, headers) => {
        shared ??= cookieOf()
        const cookie = await shared
        expect((await send(route, { ...headers, cookie })).statusCode).toBe(403)
      })
    })
  }

  describe.each(Object.entries(PERSON_API))('%s', (route, status) => {
    test.each(Object.entries(strangers))('is 401 for a visitor %s', async (_name, cookieOfStranger) => {
      const cookie = await cookieOfStranger()
      const answer = await send(route, { ...own(), ...(cookie ? { cookie } : {}) })
      expect(answer.statusCode).toBe(401)
    })

    test('passes a signed-in person', async () => {
      expect((await send(route, { ...own(), cookie: await cookieOf() })).statusCode).toBe(status)
    })
  })

  describe.each(SAME_ORIGIN_ROUTES)('%s', (route) => {
    test.each(FOREIGN)('is forbidden %s', async (_name, headers) => {
      expect((await send(route, headers)).statusCode).toBe(403)
    })
  })
}

const FOREIGN: [string, Record<string, string>][] = [
  ['without an Origin', {}],
  ['with the Origin of another site', { origin: 'https://evil.test' }],
  ['with the Origin null', { origin: 'null' }],
]

/** The session token of a cookie, as the sessions table stores it. */
