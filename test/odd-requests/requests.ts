import { OPERATIONS, type Operation, typedKeys } from '@troupe/contract'
import { BUILDER_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'
import { ACCESS_TABLE } from '../../packages/test-kit/src/access/access-table.ts'
import { BUILDER_TABLE } from '../../packages/test-kit/src/access/builder-table.ts'
import type { TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { type BodyTarget, bodyTargets } from '../hostile-documents/bodies.ts'
import { placesIn } from '../hostile-documents/hostile-documents.ts'
import { hasId, kindAt } from './kinds.ts'
import { oddUpload, uploadTargets } from './odd-uploads.ts'
import { LONG_JSON, ODD_IN_URL, ODD_JSON } from './odd-values.ts'
import type { Random } from './random.ts'
import type { Target } from './target.ts'
import { CALLERS, type Caller, type Tenants } from './tenants.ts'

export interface OddRequest {
  target: Target
  caller: Caller
  method: string
  url: string
  contentType: string | null
  payload: string | Buffer | null
}

/** Streams that continue until the caller leaves. */
const ENDLESS = new Set(['streamEvents of the builder', 'streamRun of the builder'])
const KEYS = ['organization key', 'project key'] as const
const PEOPLE = ['owner', 'admin', 'operator'] as const

/** Every operation of every contract; new ones are included automatically. */
export async function oddTargets(server: TestServer): Promise<Target[]> {
  const withBodies = (await bodyTargets(server)).map((one): Target => {
    const { name, method, url, base, contentType, headersOf, schema, known } = one
    const body = { base, contentType, places: placesIn(schema, base, known) }
    return {
      name,
      method,
      url,
      query: [],
      body,
      callers: callersOf(url, headersOf),
      headersOf,
      isEndless: false,
    }
  })
  const without = async (
    operation: Operation,
    name: string,
    { url, callers }: { url: string; callers: Target['callers'] },
  ): Promise<Target> => ({
    ...{ name, method: operation.method, url, body: null, callers, headersOf: () => ({}) },
    isEndless: ENDLESS.has(name),
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
  return [...found, ...(await uploadTargets(server))]
}

function callersOf(url: string, headersOf: BodyTarget['headersOf']): Target['callers'] {
  const headers = Object.keys(headersOf('{}'))
  if (headers.includes('x-api-key')) return KEYS
  if (headers.includes('authorization')) return ['operator']
  return url.startsWith('/api/builder/') ? PEOPLE : null
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** A faulty request of an operation: odd ids or values, or the wrong caller. */
export function oddRequest(target: Target, random: Random, { ids, server }: Tenants): OddRequest {
  /** Most often of the same kind as the one that belongs there, because others are refused before they are used. */
  const anyId = (place: string) => {
    const kind = kindAt(place)
    const all = random.chance(0.5) ? ids.own : [...ids.organization, ...ids.project, ...ids.own]
    const fitting = all.filter((id) => ids.kindOf.get(id) === kind)
    return random.of(fitting.length > 0 && random.chance(0.8) ? fitting : all)
  }
  const caller = random.chance(0.65) && target.callers ? random.of(target.callers) : random.of(CALLERS)
  let url = target.method === 'DELETE' ? target.url : withExistingIds(target.url, random, ids)
  // A node is checked only for a workflow that the caller finds.
  if (random.chance(target.name.startsWith('the node ') ? 0.05 : 0.4)) {
    const found = (url.match(UUID) ?? []).filter(
      // The operator may change every organization.
      (id) => id !== server.seed.organizationId || (caller !== 'operator' && random.chance(0.1)),
    )
    if (found.length > 0) {
      const replaced = random.of(found)
      const [, place = ''] = new RegExp(`([\\w-]+)/${replaced}`).exec(url) ?? []
      const odd = random.chance(0.7) ? anyId(place) : random.of(ODD_IN_URL)
      url = url.replace(replaced, () => odd)
    }
  }
  if (target.query.length > 0 && random.chance(0.8)) {
    const name = random.of(target.query)
    const value = random.chance(0.25) ? anyId(name) : random.of(ODD_IN_URL)
    const form = random.of([`${name}=${value}`, `${name}=a&${name}=${value}`, `${name}[${value}]=1`])
    url += `${url.includes('?') ? '&' : '?'}${form}`
  }
  const { body, upload, method } = target
  if (upload !== undefined) return { target, caller, method, url, ...oddUpload(upload, random) }
  const payload = body && oddBody(body, random, anyId)
  return { target, caller, method, url, contentType: body?.contentType ?? null, payload }
}

/** A URL that leads to planted things of the caller's organization: many rows of the access suite name things that do not exist. */
function withExistingIds(url: string, random: Random, { own, kindOf }: Tenants['ids']): string {
  return url.replace(/([\w-]+)\/([0-9a-f]{8}-[0-9a-f-]{27})/g, (whole, place: string) => {
    const fitting = own.filter((id) => kindOf.get(id) === kindAt(place))
    return fitting.length > 0 && random.chance(0.7) ? `${place}/${random.of(fitting)}` : whole
  })
}

function oddBody(
  { places, base }: NonNullable<Target['body']>,
  random: Random,
  anyId: (place: string) => string,
): string {
  if (places.length === 0 || random.chance(0.1)) return JSON.stringify(base) ?? '{}'
  const place = random.of(places)
  if (random.chance(0.005)) return place.bodyWith(random.of(LONG_JSON)())
  return place.bodyWith(
    random.chance(hasId(place.place) ? 0.7 : 0.15) ? JSON.stringify(anyId(place.place)) : random.of(ODD_JSON),
  )
}
