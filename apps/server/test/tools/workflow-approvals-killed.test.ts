import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Approval, propertyOf } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { expect, test } from 'vitest'
import { type Program, startProgram } from '../crash/program.ts'
import { sandboxBundle } from '../crash/sandbox-bundle.ts'
import { startShopServer } from './shop-server.ts'

const KEY = `approvals-${randomUUID()}`
const AGENT = randomUUID()
const FLOW = randomUUID()
const UNTIL_DONE = { timeout: 60_000, interval: 50 }
const ORDERS = ['approved-1', 'approved-2', 'approved-3', 'rejected-1', 'rejected-2']

async function call({ origin }: Program, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}

async function pending(program: Program): Promise<Approval[]> {
  return propertyOf(await call(program, 'GET', '/approvals?status=pending&limit=100'), 'data') as Approval[]
}

const orderOf = ({ args }: Approval) => String(propertyOf(args, 'order'))

test('workflow runs of a server that is killed before, while and after they wait act once each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-workflow-approvals-'))
  await using shop = await startShopServer()
  const refund = {
    ...{ type: 'http', name: 'refund', method: 'POST', url: `${shop.origin}/refunds`, approval: 'always' },
    input_schema: { type: 'object', properties: { order: { type: 'string' } } },
  }
  const message = '[[tool: refund {{ trigger.call }}]] Refund it.'
  const graph = {
    nodes: [node('start', 'manual-trigger'), node('ask', 'ai-agent', { agent: 'ada', message })],
    edges: [edge('start', 'ask')],
  }
  const bundle = sandboxBundle({
    ...{ key: KEY, agentId: AGENT, agentConfig: { tools: [refund] } },
    workflows: [{ slug: 'flow', id: FLOW, name: 'Flow', publish: true, graph }],
  })
  const path = join(folder, 'bundle.yaml')
  await writeFile(path, JSON.stringify(bundle))
  const env = { TROUPE_BUNDLE: path, TROUPE_ALLOWED_NETWORKS: 'loopback' }
  try {
    let program = await startProgram(folder, env)
    const runs: string[] = []
    for (const order of ORDERS) {
      const body = { input: { call: { order } } }
      const started = await call(program, 'POST', `/workflows/${FLOW}/run-async`, body)
      runs.push(String(propertyOf(started, 'executionId')))
    }
    // Each of them is at any commit.
    await expect.poll(async () => (await pending(program)).length, UNTIL_DONE).toBeGreaterThan(0)
    await program.end('SIGKILL')

    const statuses = () =>
      Promise.all(
        runs.map(async (run) => propertyOf(await call(program, 'GET', `/workflow-jobs/${run}`), 'status')),
      )
    program = await startProgram(folder, env)
    await expect.poll(statuses, UNTIL_DONE).toEqual(runs.map(() => 'awaiting_approval'))
    const asked = await pending(program)
    expect(asked.map(orderOf).toSorted()).toEqual(ORDERS)
    await program.end('SIGKILL')
    expect(shop.seen).toEqual([])

    program = await startProgram(folder, env)
    expect(await statuses()).toEqual(runs.map(() => 'awaiting_approval'))
    await Promise.all(
      asked.map((approval) => {
        const decision = orderOf(approval).startsWith('approved') ? 'approve' : 'reject'
        return call(program, 'POST', `/approvals/${approval.approvalId}/resolve`, { decision })
      }),
    )
    await program.end('SIGKILL')

    program = await startProgram(folder, env)
    await expect.poll(statuses, UNTIL_DONE).toEqual(runs.map(() => 'completed'))
    const refunded = shop.seen.map(({ body }) => String(propertyOf(JSON.parse(body), 'order')))
    // A call that was in progress when its server died is not repeated; nothing is called twice, and nothing rejected is called.
    expect(refunded.toSorted()).toEqual([...new Set(refunded)].toSorted())
    expect(refunded.filter((order) => order.startsWith('rejected'))).toEqual([])
    const results = await Promise.all(runs.map((run) => call(program, 'GET', `/workflow-jobs/${run}/result`)))
    const unknown = results.filter((result) => JSON.stringify(result).includes('unknown'))
    expect(refunded.length + unknown.length).toBeGreaterThanOrEqual(3)
    expect(await pending(program)).toEqual([])
    await program.end('SIGTERM')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)
