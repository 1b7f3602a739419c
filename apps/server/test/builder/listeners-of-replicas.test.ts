import { randomBytes } from 'node:crypto'
import { ChangeWatch } from '@troupe/operations/events/change-watch'
import { watchedTopics } from '@troupe/operations/events/topics'
import { openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember } from './builder-caller.ts'
import { calls, callTest, listen, listeners, newWorkflow } from './listener-setting.ts'

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)

/** Two servers on one PostgreSQL: the page of the editor is connected to `first`, calls arrive at `second`. */
describe.skipIf(!postgres)('listeners of two servers', () => {
  const resources = new AsyncDisposableStack()
  let first: TestServer
  let second: TestServer
  beforeAll(async () => {
    if (!postgres) return
    resources.use(postgres)
    const { url } = resources.use(await postgres.createDatabase())
    const encryptionKey = randomBytes(32)
    const start = async () => {
      const database = resources.use(
        await openDatabase({ kind: 'postgres', url, poolSize: 8, replicas: true }),
      )
      return resources.use(await startTestServer({ overrides: { database }, encryptionKey }))
    }
    first = await start()
    second = await start()
  })
  afterAll(() => resources.disposeAsync())

  test('a page learns of a call that arrives at the other server, and reads it', async () => {
    const eva = await asMember(first, 'member', 'Eva')
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    const { database } = first.context
    const watch = new ChangeWatch({ database, onError: (error) => expect.fail(String(error)) })
    const told: (string | null)[] = []
    const remove = watch.add({
      caller: { organizationId: first.seed.organizationId, userId: null, role: 'owner' } as never,
      sessionId: null,
      topics: watchedTopics(`listeners:${workflowId}`),
      send: ({ topic }) => void told.push(topic),
      close: () => expect.fail('closed'),
    })
    await expect.poll(() => told).toEqual([null])
    expect((await callTest(second, listener)).status).toBe(202)
    await expect.poll(() => told).toEqual([null, `listeners:${workflowId}`])
    remove()
    expect(await calls(eva, workflowId)).toMatchObject([{ verdict: 'accepted' }])
    // A listener stopped on one server is unknown to the other immediately.
    await eva.send(`DELETE /workflows/${workflowId}/listeners/${listener.listenerId}`)
    expect((await callTest(second, listener)).status).toBe(404)
  })

  test('concurrent calls at both servers are each kept once, and a stop among them ends the listener on both', async () => {
    const eva = await asMember(first, 'member', 'Ida')
    const { workflowId } = await newWorkflow(eva)
    const [one, two] = await Promise.all([
      listen(eva, workflowId, 'webhook'),
      listen(eva, workflowId, 'webhook'),
    ])
    expect([one.listenerId, one.url, one.secret]).toEqual([two.listenerId, two.url, two.secret])
    const send = (at: number) => callTest(at % 2 === 0 ? first : second, one, `{"at":${at}}`)
    const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => send(at)))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(202))
    const [listener] = await listeners(eva, workflowId)
    expect([listener?.callCount, new Set(listener?.calls.map(({ callId }) => callId)).size]).toEqual([16, 16])
    const path = `/workflows/${workflowId}/listeners/${one.listenerId}`
    const [stopped, ...mixed] = await Promise.all([
      eva.send(`DELETE ${path}`),
      ...Array.from({ length: 8 }, (_, at) => send(at)),
    ])
    expect(stopped.status).toBe(204)
    expect(mixed.every(({ status }) => status === 202 || status === 404)).toBe(true)
    expect((await send(1)).status).toBe(404)
    expect(await listeners(eva, workflowId)).toEqual([])
  })
})
