import {
  type ErrorCode,
  isUuid,
  OPERATIONS,
  propertyOf,
  statusOf,
  TRIGGER_OPERATIONS,
  type TriggerOperationId,
  typedKeys,
} from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../server/start-test-server.ts'
import type { AccessRequest, AccessRow } from './access-row.ts'
import { ACCESS_TABLE, PROTOCOL_TABLE } from './access-table.ts'
import { describeBuilderRoutes } from './builder-routes.ts'
import { describePersonRoutes } from './person-routes.ts'
import { TRIGGER_TABLE, type TriggerRow } from './trigger-table.ts'

/** API routes that intentionally need no key. */
const OPEN_ROUTES = new Set(['/api/v1/openapi.json'])

/** Routes for the holder of the admin token. */
const OPERATOR_ROUTES = [
  'GET /api/builder/bundles',
  'GET /api/builder/bundles/archive',
  'GET /api/builder/mcp-servers/tools',
  'GET /api/builder/openapi.json',
  'HEAD /api/builder/bundles',
  'HEAD /api/builder/bundles/archive',
  'HEAD /api/builder/mcp-servers/tools',
  'HEAD /api/builder/openapi.json',
  'POST /api/builder/bundles',
  'POST /api/builder/bundles/archive',
  'POST /api/builder/mcp-servers/tools',
  'POST /api/builder/password-reset-links',
  'POST /api/builder/v1/organizations',
]

/** Runs every registered route against every kind of caller without access. A route without a row fails. */
export function describeAccess(start: () => Promise<TestServer>): void {
  let server: TestServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('every route of the API has a row, and every row a route', () => {
    const routes = server.routes.filter(
      ({ url, method }) => url.startsWith('/api/v1') && method !== 'HEAD' && !OPEN_ROUTES.has(url),
    )
    const withAccess = (access: string) =>
      routes
        .flatMap((route) => (route.access === access && route.operationId ? [route.operationId] : []))
        .toSorted()
    expect(withAccess('api_key')).toEqual(Object.keys(ACCESS_TABLE).toSorted())
    expect(withAccess('trigger')).toEqual(Object.keys(TRIGGER_TABLE).toSorted())
    const protocols = routes.filter(({ access, operationId }) => access === 'api_key' && operationId === null)
    expect(protocols.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(
      Object.keys(PROTOCOL_TABLE).toSorted(),
    )
    expect(routes.filter(({ access }) => access !== 'api_key' && access !== 'trigger')).toEqual([])
  })

  test('everything below /api needs a key or the admin token', () => {
    const open = server.routes.filter(({ url, access }) => url.startsWith('/api') && access === 'open')
    expect(new Set(open.map(({ url }) => url))).toEqual(OPEN_ROUTES)
  })

  test('every route for the operator refuses each caller without the admin token', async () => {
    const routes = server.routes.filter(({ access }) => access === 'operator')
    expect(routes.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(OPERATOR_ROUTES)
    const callers = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: server.adminToken },
      { 'x-api-key': server.seed.keys.organization },
      { authorization: `Bearer ${server.seed.keys.organization}` },
    ]
    for (const [at, { method, url }] of routes.entries()) {
      for (const headers of callers) {
        // A separate address: guesses of the admin token are counted by address.
        const remoteAddress = `10.2.0.${at}`
        const answer = await server.app.inject({ method: method as 'GET', url, headers, remoteAddress })
        expect([method, url, answer.statusCode]).toEqual([method, url, 401])
      }
    }
  })

  describePersonRoutes(() => server)
  describeBuilderRoutes(() => server)
  for (const id of typedKeys(ACCESS_TABLE)) {
    describe(id, () => describeRow(() => server, OPERATIONS[id].method, ACCESS_TABLE[id]))
  }
  for (const [route, row] of Object.entries(PROTOCOL_TABLE)) {
    describe(route, () => describeRow(() => server, route.split(' ')[0] ?? '', row))
  }
  for (const id of typedKeys(TRIGGER_TABLE)) {
    describe(id, () => describeTrigger(() => server, id, TRIGGER_TABLE[id]))
  }
}

function describeTrigger(server: () => TestServer, id: TriggerOperationId, row: TriggerRow): void {
  const { method } = TRIGGER_OPERATIONS[id]
  const send = ({ path, body }: AccessRequest) =>
    server().call(`${method} ${path}`, { key: null, ...(body ? { body } : {}) })

  test('a stranger who has nothing but the address is 401 unauthorized', async () => {
    expectRefused(await send(await row.stranger(server())), 'unauthorized')
  })

  test('an unknown address is 404 for every reason', async () => {
    const requests = await row.nowhere(server())
    const answers = await Promise.all(requests.map(send))
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body])
  })
}

function describeRow(server: () => TestServer, method: string, row: AccessRow): void {
  const send = ({ path, body }: AccessRequest, key: string | null) =>
    server().call(`${method} ${path}`, { key, ...(body ? { body } : {}) })
  const keys: Record<string, () => string | null> = {
    missing: () => null,
    malformed: () => 'x',
    unknown: () => 'trp_0000000000000000000000000000000000000000000000000',
    revoked: () => server().seed.keys.revoked,
    expired: () => server().seed.keys.expired,
  }
  // One for all keys, because a refused request changes nothing.
  let own: Promise<AccessRequest> | undefined
  for (const [name, key] of Object.entries(keys)) {
    test(`a ${name} key is 401 unauthorized`, async () => {
      own ??= Promise.resolve(row.own(server()))
      const answer = await send(await own, key())
      expect([answer.status, errorOf(answer.body)]).toEqual([401, 'unauthorized'])
    })
  }

  const { otherOrganization, otherProject } = row
  if (otherOrganization) {
    const { error } = otherOrganization
    test(`a resource of another organization is ${error}, exactly like an unknown one`, async () => {
      const request = await otherOrganization.request(server())
      const foreign = await send(request, server().seed.keys.organization)
      const unknown = await send(withUnknownId(request), server().seed.keys.organization)
      expectRefused(foreign, error)
      expect(foreign.body).toEqual(unknown.body)
    })
  }
  if (otherProject) {
    const { error } = otherProject
    test(`a resource of another project is ${error}`, async () => {
      expectRefused(await send(await otherProject.request(server()), server().seed.keys.project), error)
    })
  }
}

function expectRefused(answer: { status: number; body: unknown }, error: ErrorCode): void {
  expect([answer.status, errorOf(answer.body)]).toEqual([statusOf(error), error])
}

function errorOf(body: unknown): unknown {
  const error = propertyOf(body, 'error')
  return propertyOf(error, 'code') ?? error
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** The same request for a nonexistent id: the last id of the path is replaced, or the one of the body. */
function withUnknownId(request: AccessRequest): AccessRequest {
  for (const name of ['model', 'trunkId']) {
    if (propertyOf(request.body, name)) return { ...request, body: { ...request.body, [name]: UNKNOWN_ID } }
  }
  const steps = request.path.split('/')
  const at = steps.findLastIndex((step) => isUuid(step))
  return { ...request, path: steps.with(at, UNKNOWN_ID).join('/') }
}
