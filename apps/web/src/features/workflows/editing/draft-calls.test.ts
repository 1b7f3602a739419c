import { edge, node } from '@troupe/editor/testing/draft'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftCalls } from './draft-calls.ts'

const requests: RequestInit[] = []
const addresses: string[] = []
/** Consumed one per request; then `answer` is used. */
const pages: unknown[] = []
let answer: unknown = null
let status = 200
let headers: Record<string, string> = {}

beforeEach(() => {
  for (const list of [requests, addresses, pages]) list.length = 0
  status = 200
  headers = {}
  // The responses are those of `packages/contract/src/builder/workflows/save-draft.ts`.
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    requests.push(request)
    addresses.push(url)
    return Response.json(pages.shift() ?? answer, { status, headers })
  })
  vi.stubGlobal('document', { querySelector: () => null })
})
afterEach(() => vi.unstubAllGlobals())

const calls = draftCalls('acme', '11111111-1111-4111-8111-111111111111')
const changeId = '22222222-2222-4222-8222-222222222222'
const author = { changedBy: { kind: 'user', id: 'ben', name: 'Ben' }, at: '2026-11-29T10:00:00.000Z' }
const listed = (changes: unknown[]) => ({
  draftRevision: 3,
  isComplete: true,
  next: null,
  isDraftPublished: false,
  data: [{ ...author, revision: 3, changeId, gesture: null, changes }],
})
const save = (text: string, gesture = 'Type') => ({
  changeId,
  draftRevision: 1,
  gesture,
  patches: [
    {
      kind: 'node' as const,
      id: 'a',
      before: null,
      after: node('a', null, { config: { text } }),
      next: null,
    },
  ],
  places: [],
  isOut: true,
})
const bodyOf = (request: RequestInit | undefined): Record<string, unknown> => JSON.parse(`${request?.body}`)

test('saves of others are read unchanged', async () => {
  const changes = [
    { put: { node: node('a'), before: 'b' } },
    { put: { edge: edge('a', 'b') } },
    { remove: { nodeId: 'c' } },
    { remove: { edgeId: 'c:out:a' } },
    { expose: null },
  ]
  answer = listed(changes)
  expect(await calls.changesSince(2)).toMatchObject({
    since: { saves: [{ changeId, changes }], revision: 3 },
  })
})

test('a change of an unknown kind is not left out: the whole draft is to be read', async () => {
  const unknown = [
    { move: { nodeId: 'a' } },
    { put: { group: { id: 'a' } } },
    { remove: { groupId: 'a' } },
    { expose: 'a2a' },
    { put: { node: { ...node('a'), retries: 3 } } },
    { put: { node: node('a') }, lock: true },
  ]
  for (const change of unknown) {
    answer = listed([{ put: { node: node('b') } }, change])
    const found = await calls.changesSince(2)
    expect(found, JSON.stringify(change)).toMatchObject({ since: { saves: null, changeIds: [changeId] } })
  }
  status = 409
  const current = { number: 3, changedBy: author.changedBy, changedAt: author.at }
  answer = { error: 'draft_conflict', message: 'Stale.', current, changesSince: listed(unknown).data }
  const refused = await calls.save(save('x'), false)
  expect(refused).toMatchObject({ kind: 'stale', since: { saves: null, changeIds: [changeId] } })
})

test('a long gesture is cut beside an emoji and not inside one, which the server would refuse', async () => {
  answer = { draftRevision: 2, savedAt: author.at, isDraftPublished: false }
  await calls.save(save('x', `${'a'.repeat(199)}😀`), false)
  const { gesture } = bodyOf(requests[0])
  expect(`${gesture}`).toHaveLength(200)
  expect(`${gesture}`.isWellFormed()).toBe(true)
})

test('a request outlives its page only if it is small: browsers refuse more than 64 KiB in total', async () => {
  answer = { draftRevision: 2, savedAt: author.at, isDraftPublished: false }
  await calls.save(save('x'.repeat(30_000)), true)
  await calls.save(save('字'.repeat(30_000)), true)
  await calls.save(save('x'), false)
  expect(requests.map(({ keepalive }) => keepalive)).toEqual([true, false, false])
})

const page = (revisions: number[], next: number | null, isComplete = false) => ({
  ...{ draftRevision: 9, isComplete, next, isDraftPublished: false },
  data: revisions.map((revision) => ({
    ...{ changedBy: author.changedBy, at: `at ${revision}`, revision, gesture: null },
    ...{ changeId: `change-${revision}`, changes: [{ expose: 'mcp' }] },
  })),
})

test('saves of others are read page by page until they are complete', async () => {
  pages.push(page([2, 3], 3), page([4, 5], null, true))
  const found = await calls.changesSince(1)
  expect(addresses.map((url) => url.split('?')[1])).toEqual(['since=1', 'since=3'])
  expect(found).toMatchObject({ since: { revision: 9, author: { at: 'at 5' } } })
  const ids = found.kind === 'since' ? found.since.saves?.map((one) => one.changeId) : null
  expect(ids).toEqual(['change-2', 'change-3', 'change-4', 'change-5'])
})

test('a gap on a later page leaves the ids of the saves before it, and the whole draft is to be read', async () => {
  pages.push(page([2, 3], 3), page([], null))
  expect(await calls.changesSince(1)).toMatchObject({
    since: { saves: null, changeIds: ['change-2', 'change-3'] },
  })
})

test('no more pages are read than a whole draft has bytes', async () => {
  answer = page([2], 2)
  expect(await calls.changesSince(1)).toMatchObject({ since: { saves: null } })
  expect(requests).toHaveLength(16)
})

test.for([
  [
    'an error of the server',
    500,
    { error: 'internal_error', message: 'Broken.' },
    'Broken. (request r-1)',
    0,
  ],
  [
    'a limit',
    429,
    { error: 'rate_limited', message: 'Too many requests.' },
    'Too many requests. (request r-1)',
    7000,
  ],
  [
    'a page of a proxy',
    413,
    'Too large',
    'The server sent an unexpected response with status 413. (request r-1)',
    0,
  ],
] as const)('%s is repeated, and its text is passed on', async ([_, code, body, message, waitMs]) => {
  status = code
  answer = body
  headers = { 'x-request-id': 'r-1', ...(waitMs > 0 ? { 'retry-after': '7' } : {}) }
  const outcome = { kind: 'unreachable', message, waitMs }
  expect(await calls.save(save('x'), false)).toEqual(outcome)
  expect(await calls.changesSince(1)).toEqual(outcome)
  expect(await calls.whole()).toEqual(outcome)
})

test('without an answer there is nothing to quote', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await calls.save(save('x'), false)).toEqual({ kind: 'unreachable' })
})

test('a refusal is not repeated', async () => {
  status = 422
  answer = { error: 'validation_error', message: 'Too large.' }
  expect(await calls.save(save('x'), false)).toEqual({ kind: 'refused', message: 'Too large.' })
})
