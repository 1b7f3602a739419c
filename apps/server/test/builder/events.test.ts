import { randomUUID } from 'node:crypto'
import { type MemberRole, propertyOf } from '@troupe/contract'
import { seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { REVIEW_GRAPH } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember } from './builder-caller.ts'
import { LOSSES_OF_ACCESS } from './lost-access.ts'
import { publishWorkflow, startWorkflow } from './started-workflow.ts'

let server: TestServer
let address: string
let owner: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer()
  address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  owner = await asMember(server, 'owner', 'Olga')
})
afterAll(() => server[Symbol.asyncDispose]())

const field = (value: unknown, ...path: (string | number)[]) =>
  path.reduce<unknown>((found, name) => propertyOf(found, String(name)), value)

interface Stream extends AsyncDisposable {
  status: number
  /** Events as `topic action`, in order of arrival. */
  seen: string[]
  /** Action and id of each change of the configuration. */
  told: [string, string][]
  /** Events about the draft of a workflow. */
  drafts: unknown[]
  ended: Promise<void>
}

async function watch(cookie: string, topics: string, headers: Record<string, string> = {}): Promise<Stream> {
  const stop = new AbortController()
  const url = `${address}/api/builder/v1/organizations/${server.seed.organizationId}/events?topics=${topics}`
  const response = await fetch(url, { headers: { cookie, ...headers }, signal: stop.signal })
  const seen: string[] = []
  const told: [string, string][] = []
  const drafts: unknown[] = []
  const read = async () => {
    if (!response.ok || !response.body) return
    let rest = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const whole = (rest + chunk).split('\n\n')
      rest = whole.pop() ?? ''
      for (const [, data] of whole.join('\n').matchAll(/^data: (.*)$/gm)) {
        const { event, topic, change, draft } = JSON.parse(data ?? '')
        if (topic?.startsWith('workflow:')) drafts.push(draft)
        if (change) told.push([change.action, change.entityId])
        seen.push(event === 'ready' ? 'ready' : [topic, change?.action].filter(Boolean).join(' '))
      }
    }
  }
  const ended = read().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return {
    ...{ status: response.status, seen, told, drafts, ended },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }
}

test('a connection receives changes of its topics only', async () => {
  const workflowId = await publishWorkflow(server, 'Watched', REVIEW_GRAPH)
  const runId = await startWorkflow(server, workflowId)
  const topics = `runs,reviews,configuration,workflow-run:${runId},workflow:${workflowId}`
  await using all = await watch(owner.cookie, topics)
  await using some = await watch(owner.cookie, 'configuration')
  expect(all.status).toBe(200)
  const find = async () => {
    const rows = (await owner.send(`GET /runs/${runId}`)).body
    return field(rows, 'workflowRun', 'reviews', 0, 'reviewId')
  }
  await expect.poll(find).toEqual(expect.any(String))
  await expect.poll(() => some.seen[0]).toBe('ready')
  await expect.poll(() => all.seen).toContain('ready')
  await owner.send('POST /projects', { name: 'Fresh', slug: `fresh-${randomUUID().slice(0, 8)}` })
  await expect.poll(() => some.seen, { timeout: 5_000 }).toContain('configuration project.created')
  const path = `/reviews/${await find()}`
  const revision = field((await owner.send(`GET ${path}`)).body, 'revision')
  await owner.send(`POST ${path}/decision`, { decision: 'approve', revision })
  // The other tests change things just before the connection; of these changes, only these two kinds count.
  const isOwn = (seen: string) => !/^configuration (?!project.created|review.approved)/.test(seen)
  await expect
    .poll(() => new Set(all.seen.filter(isOwn)), { timeout: 5_000 })
    .toEqual(
      new Set([
        ...['ready', 'runs', 'reviews', `workflow-run:${runId}`],
        ...['configuration project.created', 'configuration review.approved'],
      ]),
    )
  expect(some.seen.filter((seen) => !/^ready$|^configuration /.test(seen))).toEqual([])
  expect(all.seen).not.toContain(`workflow:${workflowId}`)
})

test('a change of a draft is sent with its revision, separate from a publish', async () => {
  const workflowId = await publishWorkflow(server, 'Edited', REVIEW_GRAPH)
  await using stream = await watch(owner.cookie, `workflow:${workflowId}`)
  await expect.poll(() => stream.seen).toEqual(['ready'])
  const changes = [{ expose: 'mcp' }]
  await owner.send(`POST /workflows/${workflowId}/draft`, { draftRevision: 1, changes })
  await expect.poll(() => stream.drafts).toEqual([{ revision: 2, isAlone: true }])
  await owner.send(`POST /workflows/${workflowId}/publish`, { draftRevision: 2 })
  await expect.poll(() => stream.drafts).toEqual([{ revision: 2, isAlone: true }, null])
})

test('a change just before a connection is sent after `ready`, and only with that topic', async () => {
  const name = `just-before-${randomUUID().slice(0, 8)}`
  const { body } = await owner.send('POST /projects', { name, slug: name })
  const id = propertyOf(body, 'projectId')
  await using some = await watch(owner.cookie, 'configuration')
  await using other = await watch(owner.cookie, 'reviews')
  await expect.poll(() => some.told).toContainEqual(['project.created', id])
  expect(some.seen[0]).toBe('ready')
  await expect.poll(() => other.seen).toEqual(['ready'])
  // An entry is sent once, although polls re-read the last ones.
  await owner.send('POST /projects', { name, slug: `${name}-2` })
  await expect
    .poll(() => some.told.filter(([action]) => action === 'project.created').length)
    .toBeGreaterThan(1)
  expect(some.told.filter(([, entityId]) => entityId === id)).toHaveLength(1)
})

test('old changes are not recent, and very many recent ones are not listed', async () => {
  const { organizationId } = server.seed
  const recentOf = async (recentMs: number | null) => {
    const asked = { organizationId, entriesAfter: null, recentMs, runs: false, reviews: false }
    const found = await server.context.database.observed.changes({
      organizations: [asked],
      watched: [],
      viewers: [],
    })
    return found.organizations[0]?.recent?.length ?? null
  }
  expect(await recentOf(null)).toBeNull()
  expect(await recentOf(0)).toBe(0)
  expect(await recentOf(60_000)).toBeGreaterThan(0)
  const entry = {
    ...{ organizationId, projectId: null, before: null, after: null },
    actor: { kind: 'system' as const, id: null, ip: null, requestId: null },
    ...({ action: 'agent.updated', entityKind: 'agent' } as const),
    entityId: randomUUID(),
  }
  await server.context.database.transaction(async ({ write }) => {
    for (let n = 0; n <= 200; n += 1) await write.audit.append(entry)
  })
  expect(await recentOf(60_000)).toBeNull()
})

test('each of very many concurrent changes is sent once', async () => {
  const { organizationId } = server.seed
  const ids = Array.from({ length: 1_300 }, () => randomUUID())
  const append = (entityIds: readonly string[]) =>
    server.context.database.transaction(async ({ write }) => {
      for (const entityId of entityIds) {
        await write.audit.append({
          ...{ organizationId, projectId: null, before: null, after: null },
          actor: { kind: 'system', id: null, ip: null, requestId: null },
          ...{ action: 'agent.updated', entityKind: 'agent', entityId },
        })
      }
    })
  // Enough earlier entries that one poll reads old ones only.
  await append(Array.from({ length: 150 }, () => randomUUID()))
  await using stream = await watch(owner.cookie, 'configuration')
  await expect.poll(() => stream.seen).toContain('ready')
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await append(ids)
  const added = new Set<string>(ids)
  const toldOf = () => stream.told.map(([, id]) => id).filter((id) => added.has(id))
  await expect.poll(() => new Set(toldOf()).size, { timeout: 15_000 }).toBe(ids.length)
  expect(toldOf()).toHaveLength(ids.length)
}, 30_000)

test.each(LOSSES_OF_ACCESS)('a connection ends soon after its user %s', async (_name, lose) => {
  const person = await asMember(server, 'member')
  const stream = await watch(person.cookie, 'runs')
  await expect.poll(() => stream.seen).toEqual(['ready'])
  await lose(person, { server, owner })
  await stream.ended
})

test('a user has at most 8 connections, the operator may watch too, a reviewer may not', async () => {
  const person = await asMember(server, 'viewer')
  await using streams = new AsyncDisposableStack()
  for (let n = 0; n < 8; n += 1) {
    const stream = streams.use(await watch(person.cookie, 'runs'))
    expect(stream.status).toBe(200)
  }
  expect((await watch(person.cookie, 'runs')).status).toBe(429)
  const operator = await watch('', 'runs', { authorization: `Bearer ${server.adminToken}` })
  expect(streams.use(operator).status).toBe(200)
  const { organizationId } = server.seed
  const role: MemberRole = 'reviewer'
  const reviewer = await signIn(server, await seedPerson(server.context.database, { organizationId, role }))
  expect((await watch(reviewer, 'runs')).status).toBe(403)
  expect((await watch(owner.cookie, 'everything')).status).toBe(400)
})
