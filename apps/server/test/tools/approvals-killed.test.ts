import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Approval, propertyOf } from '@troupe/contract'
import { expect, test } from 'vitest'
import { type Program, startProgram } from '../crash/program.ts'
import { sandboxBundle } from '../crash/sandbox-bundle.ts'
import { readEvents } from '../runs/event-reader.ts'
import { startShopServer } from './shop-server.ts'

const KEY = `approvals-${randomUUID()}`
const AGENT = randomUUID()
const UNTIL_DONE = { timeout: 60_000, interval: 50 }

async function call({ origin }: Program, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}

/** The pending approvals, by their jobs. */
async function pending(program: Program): Promise<Map<string, string>> {
  const page = await call(program, 'GET', '/approvals?status=pending&limit=100')
  const data = propertyOf(page, 'data') as Approval[]
  return new Map(data.map(({ runId, approvalId }) => [runId, approvalId]))
}

/** A live reader is up to 50 ms ahead of the log, from which a replay reads. */
async function isLogged(program: Program, runId: string): Promise<void> {
  const path = `/api/v1/agents/${AGENT}/runs/${runId}/stream`
  const replay = await readEvents(`${program.origin}${path}`, { headers: { 'x-api-key': KEY } })
  await expect.poll(() => replay.events.at(-1)?.event, UNTIL_DONE).toBe('ToolApprovalRequired')
}

/** A stream does not survive its process: its reader is notified, and its approval can no longer be decided. */
async function isOver(program: Program, runId: string, approvalId: string): Promise<void> {
  const late = await call(program, 'POST', `/approvals/${approvalId}/resolve`, { decision: 'approve' })
  expect(late).toMatchObject({ error: 'approval_already_resolved', message: 'The run has ended.' })
  const path = `/api/v1/agents/${AGENT}/runs/${runId}/stream`
  const replay = await readEvents(`${program.origin}${path}`, { headers: { 'x-api-key': KEY } })
  await replay.ended
  expect(replay.events.map(({ event }) => event)).toEqual(['RunStarted', 'ToolApprovalRequired', 'RunError'])
}

test('jobs of a server that is killed while they wait, and right after their approval, act once each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-approvals-'))
  await using shop = await startShopServer()
  const refund = {
    ...{ type: 'http', name: 'refund', method: 'POST', url: `${shop.origin}/refunds`, approval: 'always' },
    input_schema: { type: 'object', properties: { order: { type: 'string' } } },
  }
  const path = join(folder, 'bundle.yaml')
  const bundle = sandboxBundle({ key: KEY, agentId: AGENT, agentConfig: { tools: [refund] } })
  await writeFile(path, JSON.stringify(bundle))
  const env = { TROUPE_BUNDLE: path, TROUPE_ALLOWED_NETWORKS: 'loopback' }
  const orders = ['A-1', 'A-2', 'A-3', 'A-4']
  try {
    let program = await startProgram(folder, env)
    const jobs: string[] = []
    for (const order of orders) {
      const message = `[[tool: refund ${JSON.stringify({ order })}]] Refund it.`
      const job = await call(program, 'POST', `/agents/${AGENT}/run-async`, { message })
      jobs.push(String(propertyOf(job, 'jobId')))
    }
    const live = await readEvents(`${program.origin}/api/v1/agents/${AGENT}/run-stream`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ message: '[[tool: refund {"order":"live"}]] Refund it.' }),
    })
    await expect.poll(async () => (await pending(program)).size, UNTIL_DONE).toBe(orders.length + 1)
    await expect.poll(() => live.events.at(-1)?.event, UNTIL_DONE).toBe('ToolApprovalRequired')
    const streamed = [...(await pending(program))].filter(([runId]) => !jobs.includes(runId))
    for (const [runId] of streamed) await isLogged(program, runId)
    await program.end('SIGKILL')
    await live.ended
    expect(shop.seen).toEqual([])

    program = await startProgram(folder, env)
    const approvals = await pending(program)
    expect([...approvals.keys()].sort()).toEqual(jobs.toSorted())
    for (const [runId, approvalId] of streamed) await isOver(program, runId, approvalId)
    await Promise.all(
      [...approvals.values()].map((id) =>
        call(program, 'POST', `/approvals/${id}/resolve`, { decision: 'approve' }),
      ),
    )
    await program.end('SIGKILL')

    program = await startProgram(folder, env)
    const statuses = () =>
      Promise.all(jobs.map(async (job) => propertyOf(await call(program, 'GET', `/jobs/${job}`), 'status')))
    await expect.poll(statuses, UNTIL_DONE).toEqual(jobs.map(() => 'completed'))
    const refunded = shop.seen.map(({ body }) => String(propertyOf(JSON.parse(body), 'order')))
    // A call in progress when its server died is not repeated; nothing is called twice.
    expect(refunded.toSorted()).toEqual([...new Set(refunded)].toSorted())
    expect(refunded).not.toContain('live')
    const results = await Promise.all(jobs.map((job) => call(program, 'GET', `/jobs/${job}`)))
    const unknown = results.filter((result) => JSON.stringify(result).includes('unknown'))
    expect(refunded.length + unknown.length).toBeGreaterThanOrEqual(orders.length)
    expect(await pending(program)).toEqual(new Map())
    await program.end('SIGTERM')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)
