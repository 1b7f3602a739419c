import { startRestateServer } from '@troupe/engine/testing'
import { startBalancer } from '@troupe/engine/testing/balancer'
import { openDatabase } from '@troupe/storage'
import { freePort } from '@troupe/test-kit/free-port'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { testPostgres } from '@troupe/test-kit/postgres'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { EVENTUALLY, newTag } from '../jobs/job-setting.ts'
import { closedBySignal } from '../runs/held-polls.ts'
import { WorkflowSetting } from './workflow-setting.ts'

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)
const restate = postgres && (await startRestateServer())

/** Two servers that take and execute runs, with a real Restate between them. */
describe.skipIf(!restate)('workflow runs that Restate delivers to two workers', () => {
  const resources = new AsyncDisposableStack()
  let setting: WorkflowSetting
  let servers: readonly TestServer[]
  beforeAll(async () => {
    if (!postgres || !restate) return
    resources.use(postgres)
    resources.use(restate)
    const { url } = resources.use(await postgres.createDatabase())
    const ports = [await freePort(), await freePort()]
    const balancer = resources.use(await startBalancer(ports))
    const options = async (port: number) => ({
      overrides: {
        database: resources.use(await openDatabase({ kind: 'postgres', url, poolSize: 5, replicas: true })),
      },
      env: {
        RESTATE_INGRESS_URL: restate.ingressUrl,
        RESTATE_ADMIN_URL: restate.adminUrl,
        RESTATE_WORKER_URL: balancer.url,
        RESTATE_WORKER_PORT: String(port),
        RESTATE_IDENTITY_KEYS: restate.identityKey,
      },
    })
    setting = resources.use(await WorkflowSetting.start(await options(ports[0] ?? 0)))
    servers = [setting.server, resources.use(await startTestServer(await options(ports[1] ?? 0)))]
    for (const { context } of servers) {
      const healthy = async () => expect(await context.engine.health()).toEqual({ healthy: true })
      await vi.waitFor(healthy, { timeout: 20_000 })
    }
  })
  afterAll(() => resources.disposeAsync())

  const start = node('start', 'manual-trigger')
  const said = (id: string, tag: string) => `${id} reports on it for ${tag}: all is well.`

  /** Branches with a join, a loop with a call in every iteration, and an agent. */
  const everything = () => ({
    nodes: [
      start,
      setting.prompt('left'),
      setting.agent('right'),
      node('join', 'edit-fields', { rows: [{ name: 'right', value: '{{ upstream.right.output }}' }] }),
      node('each', 'loop', { mode: 'list', source: ['x', 'y', 'z'] }),
      setting.prompt('ask', {}, 'each'),
      node('last', 'edit-fields', {
        rows: [
          { name: 'right', value: '{{ upstream.join.output.right }}' },
          { name: 'each', value: '{{ upstream.each.output }}' },
        ],
      }),
    ],
    edges: [
      edge('start', 'left'),
      edge('start', 'right'),
      edge('left', 'join'),
      edge('right', 'join'),
      edge('join', 'each'),
      edge('each', 'ask', 'body'),
      edge('each', 'last', 'done'),
    ],
  })
  const everythingSaid = (tag: string) => ({
    right: `Ada has worked for ${tag}, word by word.`,
    each: [said('ask', tag), said('ask', tag), said('ask', tag)],
  })

  test('return results to waiting callers, on either server', async () => {
    const workflowId = await setting.publish(everything())
    for (const server of [...servers, ...servers]) {
      const tag = newTag()
      expect(await setting.run(workflowId, tag, server)).toMatchObject({
        status: 200,
        body: { status: 'completed', output: everythingSaid(tag), error: null },
      })
      expect(setting.crew.callsOf(tag)).toHaveLength(5)
    }
  })

  test('are polled to their end, many concurrently, each executed once', async () => {
    const workflowId = await setting.publish(everything())
    const tags = Array.from({ length: 12 }, newTag)
    const ids = await Promise.all(
      tags.map((tag, index) => setting.start(workflowId, tag, servers[index % 2])),
    )
    for (const [index, id] of ids.entries()) {
      const tag = tags[index] ?? ''
      expect(await setting.untilEnded(id)).toMatchObject({ status: 'completed', error: null })
      expect(await setting.output(id)).toEqual(everythingSaid(tag))
      expect(setting.crew.callsOf(tag)).toHaveLength(5)
    }
  })

  test('are cancelled while they wait for a model, on any server', async () => {
    for (const waiting of [setting.prompt('waits'), setting.agent('waits')]) {
      const workflowId = await setting.publish({ nodes: [start, waiting], edges: [edge('start', 'waits')] })
      for (const server of servers) {
        const tag = newTag()
        setting.crew.holdFrom(tag, 1)
        const id = await setting.start(workflowId, tag)
        await expect.poll(() => setting.crew.hanging(tag).length, EVENTUALLY).toBe(1)
        const cancel = () => setting.change(id, 'cancel', server)
        const { body } = await closedBySignal(servers, setting.crew.heldCalls(tag), cancel)
        expect(body).toEqual({ executionId: id, status: 'cancelled' })
        for (const on of servers) expect(await setting.poll(id, on)).toMatchObject({ status: 'cancelled' })
      }
    }
  })

  test('are paused, and continue when they are resumed on any server', async () => {
    const workflowId = await setting.publish({
      nodes: [start, setting.prompt('one'), setting.prompt('two')],
      edges: [edge('start', 'one'), edge('one', 'two')],
    })
    for (const server of servers) {
      const tag = newTag()
      setting.crew.behave(tag, () => ({ firstTokenDelayMs: 300 }))
      const id = await setting.start(workflowId, tag)
      await expect.poll(() => setting.crew.callsOf(tag).length, EVENTUALLY).toBe(1)
      expect((await setting.change(id, 'pause', server)).body).toEqual({ executionId: id, status: 'paused' })
      await expect.poll(() => setting.crew.answered(tag), EVENTUALLY).toEqual(['one'])
      await expect
        .poll(
          async () => (await setting.nodes(id)).find(({ nodeId }) => nodeId === 'one')?.status,
          EVENTUALLY,
        )
        .toBe('completed')
      expect(await setting.poll(id)).toMatchObject({ status: 'paused', statusReason: 'paused by a person' })
      expect(setting.crew.callsOf(tag)).toHaveLength(1)
      expect((await setting.change(id, 'resume', server)).body).toEqual({
        executionId: id,
        status: 'running',
      })
      expect(await setting.untilEnded(id)).toMatchObject({ status: 'completed' })
      expect(setting.crew.callsOf(tag).map(({ name }) => name)).toEqual(['one', 'two'])
    }
  })

  test('fail with the node that failed', async () => {
    const tag = newTag()
    setting.crew.behave(tag, () => ({ status: 400 }))
    const graph = { nodes: [start, setting.prompt('broken')], edges: [edge('start', 'broken')] }
    const id = await setting.start(await setting.publish(graph), tag)
    expect(await setting.untilEnded(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Node broken ("broken") failed'),
    })
  })
})
