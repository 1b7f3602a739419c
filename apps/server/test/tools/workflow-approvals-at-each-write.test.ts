import { randomBytes } from 'node:crypto'
import { type Approval, propertyOf } from '@troupe/contract'
import { openDatabase } from '@troupe/storage'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { describe, expect, test } from 'vitest'
import { type DeathAt, mortalDatabase } from './mortal-database.ts'
import { startShopServer } from './shop-server.ts'

// A workflow waits for the approval of a tool's call, in processes that die at any of their writes. The process that
// continues asks once, calls at most once, and finishes.

const UNTIL = { timeout: 20_000, interval: 20 }

/** The outcome of a run. */
interface Outcome {
  status: unknown
  output: unknown
  /** Approvals that were ever opened. */
  approvals: number
  /** Calls that reached the service. */
  calls: number
  writes: string[]
  died: boolean
}

/** A workflow with two parallel agents, one of which waits, on a process that dies and on one that continues. */
async function runWith(death: DeathAt | null, decision: 'approve' | 'reject'): Promise<Outcome> {
  await using shop = await startShopServer()
  await using real = await openDatabase({ kind: 'pglite', directory: null })
  const encryptionKey = randomBytes(32)
  const env = { TROUPE_ALLOWED_NETWORKS: 'loopback' }
  const mortal = mortalDatabase(real)
  const first = await startTestServer({ encryptionKey, env, overrides: { database: mortal.database } })
  const { organizationId, keys } = first.seed
  const key = keys.organization
  const refund = {
    ...{ type: 'http', name: 'refund', method: 'POST', url: `${shop.origin}/refunds`, approval: 'always' },
    input_schema: { type: 'object', properties: { order: { type: 'string' } } },
  }
  const agent = await first.call('POST /api/v1/agents', {
    body: { name: 'Ada', config: { tools: [refund] } },
  })
  const agentId = String(propertyOf(agent.body, 'agentId'))
  const plain = await first.call('POST /api/v1/agents', { body: { name: 'Bob', config: {} } })
  const message = '[[tool: refund {"order":"7"}]] [[reply: DONE]]'
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      node('ask', 'ai-agent', { agentId, message }),
      node('beside', 'ai-agent', { agentId: propertyOf(plain.body, 'agentId'), message: '[[reply: B]]' }),
      node('end', 'edit-fields', {
        rows: [
          { name: 'a', value: '{{ upstream.ask.output }}' },
          { name: 'b', value: '{{ upstream.beside.output }}' },
        ],
      }),
    ],
    edges: [edge('start', 'ask'), edge('start', 'beside'), edge('ask', 'end'), edge('beside', 'end')],
  }
  const workflowId = await seedWorkflow(real, { organizationId, projectId: null, graph })
  mortal.arm(death)
  const servers: TestServer[] = [first]
  /** The living process; a crashed one is replaced by the next one. */
  const alive = async (): Promise<TestServer> => {
    if (mortal.isDead && servers.length === 1) {
      await Promise.resolve(first[Symbol.asyncDispose]()).catch(() => {})
      // As at the boot of a process that is alone on its database (`server-process.ts`).
      await real.jobs.recover()
      await real.workflowRuns.recover()
      servers.push(await startTestServer({ encryptionKey, env, overrides: { database: real } }))
    }
    return servers.at(-1) as TestServer
  }
  const ask = async (target: string, body?: object) =>
    (await alive()).call(target, { key, ...(body && { body }) })
  try {
    let started = await ask(`POST /api/v1/workflows/${workflowId}/run-async`, {})
    // A start with a lost response may or may not have happened: the caller retries only if it has not.
    const all = {
      kinds: null,
      statuses: null,
      sources: null,
      from: null,
      to: null,
      apiKeyId: null,
      tag: null,
    }
    const nobody = { userId: null, sessionId: null, isTest: null, projectId: null, cause: null }
    const runs = async () => {
      const filter = { ...all, ...nobody, entityId: workflowId }
      const { rows } = await real.observed.runs(organizationId, filter, { after: null, limit: 10 })
      return rows.map(({ runId }) => runId)
    }
    if (started.status !== 202 && (await runs()).length === 0) {
      started = await ask(`POST /api/v1/workflows/${workflowId}/run-async`, {})
    }
    const [runId = String(propertyOf(started.body, 'executionId'))] = await runs()
    const status = async () => propertyOf((await ask(`GET /api/v1/workflow-jobs/${runId}`)).body, 'status')
    await expect.poll(status, UNTIL).toBe('awaiting_approval')
    const pending = async () =>
      propertyOf((await ask('GET /api/v1/approvals?status=pending')).body, 'data') as Approval[]
    const [approval] = await pending()
    const decided = await ask(`POST /api/v1/approvals/${approval?.approvalId}/resolve`, { decision })
    if (decided.status !== 200 && (await pending()).length > 0) {
      await ask(`POST /api/v1/approvals/${approval?.approvalId}/resolve`, { decision })
    }
    await expect.poll(status, UNTIL).toBe('completed')
    const result = await ask(`GET /api/v1/workflow-jobs/${runId}/result`)
    const approvals = await ask('GET /api/v1/approvals?limit=100')
    return {
      status: await status(),
      output: propertyOf(result.body, 'output'),
      approvals: (propertyOf(approvals.body, 'data') as Approval[]).length,
      calls: shop.seen.length,
      writes: [...mortal.writes],
      died: mortal.isDead,
    }
  } finally {
    for (const server of servers.slice(mortal.isDead ? 1 : 0)) await server[Symbol.asyncDispose]()
  }
}

describe.each([
  ['approve', ['before', 'after'], 1],
  ['reject', ['after'], 3],
] as const)('a waiting workflow whose process dies (%s)', (decision, moments, step) => {
  test('at any write requests approval once, acts at most once, and ends', async () => {
    const undisturbed = await runWith(null, decision)
    const output = { a: 'DONE', b: 'B' }
    const calls = decision === 'approve' ? 1 : 0
    expect(undisturbed).toMatchObject({ status: 'completed', output, approvals: 1, calls, died: false })
    const count = undisturbed.writes.length
    expect(count).toBeGreaterThan(10)
    for (let write = 1; write <= count; write += step) {
      for (const when of moments) {
        const place = `${when} write ${write} (${undisturbed.writes[write - 1]})`
        const outcome = await runWith({ write, when }, decision)
        expect([place, outcome.status, outcome.output, outcome.approvals]).toEqual([
          place,
          'completed',
          output,
          1,
        ])
        // A call that was in progress is not repeated: its outcome is unknown.
        expect([place, outcome.calls <= calls]).toEqual([place, true])
      }
    }
  }, 1_200_000)
})
