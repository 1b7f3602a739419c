import { randomBytes } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import { startRestateServer } from '@troupe/engine/testing'
import { startBalancer } from '@troupe/engine/testing/balancer'
import { type Database, openDatabase } from '@troupe/storage'
import { freePort } from '@troupe/test-kit/free-port'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { testPostgres } from '@troupe/test-kit/postgres'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, describe, expect, test } from 'vitest'
import { type DeathAt, mortalDatabase } from '../tools/mortal-database.ts'
import { startShopServer } from '../tools/shop-server.ts'
import { asOperator } from './builder-caller.ts'

// A test of a draft, in processes that crash at any of their writes: the next process uses the same seeds, calls allowed tools at
// most once and denied ones never.

/** With replicas, a crashed process is noticed when its lease of 30 seconds expires. */
const UNTIL = { timeout: 120_000, interval: 20 }

const migrate = async (url: string) => {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

/** Databases and engines of the runs. With Restate each crash costs a lease. */
const KINDS = ['pglite', 'postgres', 'restate'] as const
type Kind = (typeof KINDS)[number]

/** The outcome of a test. */
interface Outcome {
  status: unknown
  output: unknown
  /** The result of each step: the source of its seed, else its status. */
  steps: Record<string, string>
  /** Calls of the allowed and of the denied tool. */
  allowed: number
  denied: number
  writes: string[]
  died: boolean
}

const postgres = await testPostgres(migrate)
const restate = postgres && (await startRestateServer())
afterAll(async () => {
  await restate?.[Symbol.asyncDispose]()
  await postgres?.[Symbol.asyncDispose]()
})

const isPossible = (kind: Kind) => kind === 'pglite' || (kind === 'postgres' ? postgres : restate) !== null

/** The process crashes at every n-th of the moments before and after each write. */
export function describeDeaths(every: Record<Kind, number>): void {
  describe.each(KINDS.filter(isPossible))('a test on %s whose process dies', (kind) =>
    deathsOn(kind, every[kind]))
}

function deathsOn(kind: Kind, every: number): void {
  const broker = kind === 'restate' ? restate : null

  /** The databases of the crashed process and of its successor: the same one, unless several processes may use it concurrently. */
  async function databases(resources: AsyncDisposableStack): Promise<[Database, Database]> {
    if (kind === 'pglite' || !postgres) {
      const only = resources.use(await openDatabase({ kind: 'pglite', directory: null }))
      return [only, only]
    }
    const { url } = resources.use(await postgres.createDatabase())
    const replicas = kind === 'restate'
    const open = () => openDatabase({ kind: 'postgres', url, poolSize: 4, replicas })
    const first = resources.use(await open())
    return [first, replicas ? resources.use(await open()) : first]
  }

  /** Starts a test in a process that crashes, and continues it in another one. */
  async function runWith(death: DeathAt | null): Promise<Outcome> {
    await using resources = new AsyncDisposableStack()
    const shop = resources.use(await startShopServer())
    const [dying, real] = await databases(resources)
    const mortal = mortalDatabase(dying)
    const encryptionKey = randomBytes(32)
    const ports = [await freePort(), await freePort()]
    const balancer = broker && resources.use(await startBalancer(ports))
    const envOf = (port: number | undefined): Record<string, string> => ({
      TROUPE_ALLOWED_NETWORKS: 'loopback',
      ...(broker &&
        balancer && {
          RESTATE_INGRESS_URL: broker.ingressUrl,
          RESTATE_ADMIN_URL: broker.adminUrl,
          RESTATE_WORKER_URL: balancer.url,
          RESTATE_WORKER_PORT: String(port),
          RESTATE_IDENTITY_KEYS: broker.identityKey,
        }),
    })
    const start = (database: Database, at: number) =>
      startTestServer({ encryptionKey, env: envOf(ports[at]), overrides: { database } })
    const first = await start(mortal.database, 0)
    const servers: TestServer[] = [first]
    const tool = (name: string) => ({
      ...{ type: 'http', name, method: 'POST', url: `${shop.origin}/${name}` },
      input_schema: { type: 'object', properties: {} },
    })
    const agent = await first.call('POST /api/v1/agents', {
      body: { name: 'Ada', config: { tools: [tool('pay'), tool('ship')] } },
    })
    const agentId = propertyOf(agent.body, 'agentId')
    const asks = (id: string, message: string, parentId?: string) =>
      node(id, 'ai-agent', { agentId, message }, parentId)
    const draft = {
      nodes: [
        node('start', 'manual-trigger'),
        asks('seeded', '[[tool: ship {}]]'),
        node('each', 'loop', { mode: 'list', source: ['x', 'y'] }),
        asks('pinned', '[[tool: ship {}]]', 'each'),
        asks('pay', '[[tool: pay {}]] [[reply: PAID]]'),
        asks('ship', '[[tool: ship {}]] [[reply: NOT SHIPPED]]'),
        node('end', 'edit-fields', {
          rows: ['seeded', 'each', 'pay', 'ship'].map((id) => ({
            name: id,
            value: `{{ upstream.${id}.output }}`,
          })),
        }),
      ],
      edges: [
        ...[edge('start', 'seeded'), edge('seeded', 'each'), edge('each', 'pinned', 'body')],
        ...[
          edge('each', 'pay', 'done'),
          edge('each', 'ship', 'done'),
          edge('pay', 'end'),
          edge('ship', 'end'),
        ],
      ],
    }
    const made = await asOperator(first).send('POST /workflows', { name: 'Tried', draft })
    const { workflowId, draftRevision } = made.body as { workflowId: string; draftRevision: number }
    mortal.arm(death)
    let isFollowed = false
    /** Sends a request to the living process; a crashed one is replaced. */
    const ask = async (target: string, body?: object) => {
      if (mortal.isDead && !isFollowed) {
        isFollowed = true
        await Promise.resolve(first[Symbol.asyncDispose]()).catch(() => {})
        if (kind !== 'restate') {
          // Like the boot of a process that is alone on its database (`server-process.ts`).
          await real.jobs.recover()
          await real.workflowRuns.recover()
        }
        servers.push(await start(real, 1))
      }
      // Each server seeds its own organization; the test is in that of the first.
      return asOperator({ ...(servers.at(-1) ?? first), seed: first.seed }).send(target, body)
    }
    try {
      const body = {
        draftRevision,
        scope: { kind: 'all' },
        allowEffects: ['pay'],
        seeds: {
          values: [{ nodeId: 'seeded', output: 'typed' }],
          pins: [
            { nodeId: 'pinned', path: 'each[0]', output: 'first' },
            { nodeId: 'pinned', output: 'any' },
          ],
        },
      }
      const started = async () => ask(`POST /workflows/${workflowId}/test-runs`, body)
      const runs = async () => {
        const list = await ask(`GET /runs?test=true&entityId=${workflowId}`)
        return (propertyOf(list.body, 'data') as { runId: string }[] | undefined) ?? []
      }
      // A start with a lost response may or may not have happened: the caller retries only if it has not.
      const answer = await started()
      if (answer.status !== 202 && (await runs()).length === 0) {
        expect(mortal.isDead, JSON.stringify(answer.body)).toBe(true)
        const { status, body: again } = await started()
        expect([status, again]).toEqual([202, expect.anything()])
      }
      const [run] = await runs()
      const detail = async () => (await ask(`GET /runs/${run?.runId}`)).body
      await expect.poll(async () => propertyOf(await detail(), 'status'), UNTIL).toBe('completed')
      const trace = propertyOf(await detail(), 'workflowRun')
      const nodes = propertyOf(trace, 'nodes') as {
        nodeId: string
        path: string
        status: string
        seeded: { origin: string } | null
      }[]
      const callsOf = (name: string) => shop.seen.filter(({ url }) => url === `/${name}`).length
      return {
        status: propertyOf(await detail(), 'status'),
        output: propertyOf(trace, 'output'),
        steps: Object.fromEntries(
          nodes.map(({ path, nodeId, ...one }) => [`${path} ${nodeId}`, one.seeded?.origin ?? one.status]),
        ),
        allowed: callsOf('pay'),
        denied: callsOf('ship'),
        writes: [...mortal.writes],
        died: mortal.isDead,
      }
    } finally {
      for (const server of servers.slice(isFollowed ? 1 : 0)) await server[Symbol.asyncDispose]()
    }
  }

  test('at any write uses the same seeds, calls an allowed tool at most once and a denied one never', async () => {
    const undisturbed = await runWith(null)
    expect(undisturbed).toMatchObject({
      status: 'completed',
      output: { seeded: 'typed', each: ['first', 'any'], pay: 'PAID', ship: 'NOT SHIPPED' },
      steps: { ' seeded': 'typed', 'each[0] pinned': 'pin', 'each[1] pinned': 'pin', ' pay': 'completed' },
      ...{ allowed: 1, denied: 0, died: false },
    })
    const { output, steps, writes } = undisturbed
    expect(writes.length).toBeGreaterThan(5)
    const deaths = writes.flatMap((_, at) =>
      (['before', 'after'] as const).map((when) => ({ write: at + 1, when })),
    )
    for (const { write, when } of deaths.filter((_, at) => at % every === 0)) {
      const place = `${when} write ${write} (${writes[write - 1]})`
      const { allowed, ...outcome } = await runWith({ write, when })
      expect([place, outcome]).toMatchObject([place, { status: 'completed', output, steps, denied: 0 }])
      // A call in progress is not repeated: its outcome is unknown.
      expect([place, allowed <= 1]).toEqual([place, true])
    }
  }, 1_200_000)
}
