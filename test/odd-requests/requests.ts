import { OPERATIONS, type Operation, typedKeys } from '@troupe/contract'
import { BUILDER_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'
import { ACCESS_TABLE } from '../../packages/test-kit/src/access/access-table.ts'
import { BUILDER_TABLE } from '../../packages/test-kit/src/access/builder-table.ts'
import type { TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { type BodyTarget, bodyTargets } from '../hostile-documents/bodies.ts'
import { type PlaceOfBody, placesIn } from '../hostile-documents/hostile-documents.ts'
import { LONG_JSON, ODD_IN_URL, ODD_JSON } from './odd-values.ts'
import type { Random } from './random.ts'
import { CALLERS, type Caller, type Tenants } from './tenants.ts'

/** An operation, with a request that somebody may send. */
export interface Target {
  name: string
  method: string
  url: string
  /** Names of its parameters in the query. */
  query: readonly string[]
  /** null: it takes no body. */
  body: (Pick<BodyTarget, 'base' | 'contentType'> & { places: readonly PlaceOfBody[] }) | null
  /** Who may send it; null: anybody, with the headers that the body needs. */
  callers: readonly Caller[] | null
  headersOf: BodyTarget['headersOf']
}

export interface OddRequest {
  target: Target
  caller: Caller
  method: string
  url: string
  contentType: string | null
  payload: string | null
}

/** Answers without an end. */
const LEFT_OUT = new Set(['streamEvents of the builder', 'streamRun of the builder'])
const KEYS = ['organization key', 'project key'] as const
const PEOPLE = ['owner', 'admin', 'operator'] as const

/** Every operation of every contract; new ones are included automatically. */
export async function oddTargets(server: TestServer): Promise<Target[]> {
  const withBodies = (await bodyTargets(server)).map((one): Target => {
    const { name, method, url, base, contentType, headersOf, schema, known } = one
    const body = { base, contentType, places: placesIn(schema, base, known) }
    return { name, method, url, query: [], body, callers: callersOf(url, headersOf), headersOf }
  })
  const without = async (
    operation: Operation,
    name: string,
    { url, callers }: { url: string; callers: Target['callers'] },
  ): Promise<Target> => ({
    ...{ name, method: operation.method, url, body: null, callers, headersOf: () => ({}) },
    query: Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {}),
  })
  const found: Target[] = [...withBodies]
  for (const id of typedKeys(OPERATIONS)) {
    const operation: Operation = OPERATIONS[id]
    if (operation.body !== undefined) continue
    const { path } = await ACCESS_TABLE[id].own(server)
    found.push(await without(operation, id, { url: path, callers: KEYS }))
  }
  for (const id of typedKeys(BUILDER_OPERATIONS)) {
    const operation: Operation = BUILDER_OPERATIONS[id]
    if (operation.body !== undefined) continue
    const { path } = await BUILDER_TABLE[id].own(server)
    const url = `/api/builder/v1/organizations/${server.seed.organizationId}${path}`
    found.push(await without(operation, `${id} of the builder`, { url, callers: PEOPLE }))
  }
  for (const operation of Object.values<Operation>(PERSON_OPERATIONS)) {
    if (operation.body !== undefined) continue
    const url = operation.path.replaceAll(/\{\w+\}/g, server.seed.projectId)
    found.push(await without(operation, operation.id, { url, callers: PEOPLE }))
  }
  return found.filter(({ name }) => !LEFT_OUT.has(name))
}

function callersOf(url: string, headersOf: BodyTarget['headersOf']): Target['callers'] {
  const headers = Object.keys(headersOf('{}'))
  if (headers.includes('x-api-key')) return KEYS
  if (headers.includes('authorization')) return ['operator']
  return url.startsWith('/api/builder/') ? PEOPLE : null
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** A request of an operation that somebody sends wrongly: odd ids or values, or the wrong caller. */
export function oddRequest(target: Target, random: Random, { ids, server }: Tenants): OddRequest {
  const anyId = () => random.of([...ids.organization, ...ids.project, ...ids.own])
  const caller = random.chance(0.65) && target.callers ? random.of(target.callers) : random.of(CALLERS)
  let url = target.url
  if (random.chance(0.4)) {
    const odd = random.chance(0.7) ? anyId() : random.of(ODD_IN_URL)
    const found = (url.match(UUID) ?? []).filter(
      (id) => id !== server.seed.organizationId || random.chance(0.1),
    )
    if (found.length > 0) url = url.replace(random.of(found), () => odd)
  }
  if (target.query.length > 0 && random.chance(0.8)) {
    const name = random.of(target.query)
    const value = random.chance(0.25) ? anyId() : random.of(ODD_IN_URL)
    const form = random.of([`${name}=${value}`, `${name}=a&${name}=${value}`, `${name}[${value}]=1`])
    url += `${url.includes('?') ? '&' : '?'}${form}`
  }
  const { body } = target
  const payload = body && oddBody(body, random, anyId)
  return { target, caller, method: target.method, url, contentType: body?.contentType ?? null, payload }
}

function oddBody({ places, base }: NonNullable<Target['body']>, random: Random, anyId: () => string): string {
  if (places.length === 0 || random.chance(0.1)) return JSON.stringify(base) ?? '{}'
  const place = random.of(places)
  if (random.chance(0.005)) return place.bodyWith(random.of(LONG_JSON)())
  return place.bodyWith(random.chance(0.2) ? JSON.stringify(anyId()) : random.of(ODD_JSON))
}
