import {
  isUuid,
  MEMBER_ROLES,
  type MemberRole,
  propertyOf,
  roleHas,
  statusOf,
  typedKeys,
} from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { describe, expect, test } from 'vitest'
import { expireSession, ownOrigin, seedPerson, signIn } from '../server/seed-person.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { BuilderRequest, BuilderRow } from './builder-row.ts'
import { BUILDER_TABLE } from './builder-table.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** Runs every operation of the builder against every kind of caller without access. A new operation without a row does not compile. */
export function describeBuilderRoutes(server: () => TestServer): void {
  const cookies = new Map<string, Promise<string>>()
  // New users for each hundred operations: a user may send 1,200 requests per minute.
  const signedIn = (at: number, role: MemberRole, status: 'active' | 'suspended' = 'active') => {
    const { context, seed } = server()
    const key = `${Math.floor(at / 100)} ${role} ${status}`
    const cookie =
      cookies.get(key) ??
      seedPerson(context.database, { organizationId: seed.organizationId, role, status }).then((person) =>
        signIn(server(), person),
      )
    cookies.set(key, cookie)
    return cookie
  }
  const send = async (
    method: string,
    { path, body }: BuilderRequest,
    headers: Record<string, string>,
    organization: string = server().seed.organizationId,
    remoteAddress = '127.0.0.1',
  ) => {
    const answer = await server().app.inject({
      method: method as 'GET',
      url: `/api/builder/v1/organizations/${organization}${path}`,
      remoteAddress,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    })
    const type = answer.headers['content-type']
    const parsed = type?.startsWith('application/json') && answer.body ? answer.json<unknown>() : null
    return { status: answer.statusCode, error: propertyOf(parsed, 'error'), body: parsed }
  }
  let expired: Promise<string> | null = null
  const expiredOwner = () => {
    expired ??= (async () => {
      const { context, seed } = server()
      const person = await seedPerson(context.database, {
        organizationId: seed.organizationId,
        role: 'owner',
      })
      const cookie = await signIn(server(), person)
      await expireSession(server(), cookie)
      return cookie
    })()
    return expired
  }
  const ownerFor = async (at: number) => ({
    origin: ownOrigin(server()),
    cookie: await signedIn(at, 'owner'),
  })

  test('every route of the builder serves an operation, and every operation has a route', () => {
    const found = server().routes.filter(({ access, method }) => access === 'builder' && method !== 'HEAD')
    expect(found.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(BUILDER_OPERATIONS).toSorted(),
    )
  })

  for (const [at, id] of typedKeys(BUILDER_OPERATIONS).entries()) {
    const { method, needs } = BUILDER_OPERATIONS[id]
    const row: BuilderRow = BUILDER_TABLE[id]
    const asOwner = () => ownerFor(at)
    describe(`${id} of the builder`, () => {
      // One for all strangers, because a refused request changes nothing.
      let refusable: Promise<BuilderRequest> | undefined
      const ownOf = () => (refusable ??= Promise.resolve(row.own(server())))
      test('is 401 without a sign-in', async () => {
        const { seed } = server()
        const origin = ownOrigin(server())
        const own = await ownOf()
        const strangers: Record<string, string>[] = [
          {},
          { cookie: 'troupe_session=0123456789.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D' },
          { cookie: await expiredOwner() },
          { 'x-api-key': seed.keys.organization },
          { authorization: 'Basic wrong' },
        ]
        // A separate address: guesses of the admin token are counted by address.
        const ip = `10.0.${Math.floor(at / 250)}.${at % 250}`
        for (const headers of strangers) {
          const { status, error } = await send(method, own, { origin, ...headers }, seed.organizationId, ip)
          expect([status, error]).toEqual([401, 'unauthorized'])
        }
      })

      test('is 404 for people who are not active members, exactly as for an unknown organization', async () => {
        const { context, seed } = server()
        const own = await ownOf()
        const origin = ownOrigin(server())
        const suspended = await send(method, own, {
          origin,
          cookie: await signedIn(at, 'owner', 'suspended'),
        })
        const headers = await asOwner()
        const other = await context.database.read.organizations.byId(seed.otherOrganizationId)
        const answers = [
          suspended,
          await send(method, own, headers, seed.otherOrganizationId),
          await send(method, own, headers, other?.slug ?? ''),
          await send(method, own, headers, 'no-such-organization'),
          await send(method, own, headers, UNKNOWN_ID),
        ]
        for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[4]?.body])
        expect(answers[4]?.error).toBe('organization_not_found')
      })

      const refused = MEMBER_ROLES.filter((role) => !roleHas(role, needs))
      if (refused.length > 0) {
        test(`is 403 for ${refused.join(', ')}`, async () => {
          const own = await ownOf()
          for (const role of refused) {
            const headers = { origin: ownOrigin(server()), cookie: await signedIn(at, role) }
            const { status, error } = await send(method, own, headers)
            expect([role, status, error]).toEqual([role, 403, 'forbidden'])
          }
        })
      }

      if (method !== 'GET') {
        test('is 403 for requests that no page of this server sent', async () => {
          const own = await ownOf()
          const { cookie, origin } = await asOwner()
          const foreign: Record<string, string>[] = [
            {},
            { origin: 'https://evil.test' },
            { origin: 'null' },
            { origin, 'sec-fetch-site': 'cross-site' },
          ]
          for (const headers of foreign) {
            const { status, error } = await send(method, own, { cookie, ...headers })
            expect([status, error]).toEqual([403, 'forbidden'])
          }
        })
      }

      if (row.foreign) {
        const { error: expected, request } = row.foreign
        test(`a resource of another organization is ${expected}, exactly like an unknown one`, async () => {
          const foreign = await request(server())
          const headers = await asOwner()
          const answer = await send(method, foreign, headers)
          expect([answer.status, answer.error]).toEqual([statusOf(expected), expected])
          const steps = foreign.path.split('/')
          const idAt = steps.findLastIndex((step) => isUuid(step))
          // If the id is in the body, the row's own request has an unknown one.
          const unknown =
            idAt < 0 ? await row.own(server()) : { ...foreign, path: steps.with(idAt, UNKNOWN_ID).join('/') }
          expect(answer.body).toEqual((await send(method, unknown, headers)).body)
        })
      }

      test('passes admission for an owner and for the operator', async () => {
        const refusals = ['unauthorized', 'forbidden', 'organization_not_found', 'not_found']
        const operator = { authorization: `Bearer ${server().adminToken}` }
        for (const headers of [operator, await asOwner()]) {
          const { status, error } = await send(method, await row.own(server()), headers)
          expect(refusals).not.toContain(error)
          expect(status).toBeLessThan(500)
        }
      })
    })
  }
}
