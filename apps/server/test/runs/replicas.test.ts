import type { AddressInfo } from 'node:net'
import { openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEvents } from './event-reader.ts'
import { closedBySignal } from './held-polls.ts'
import { type RunSetting, startRunSetting } from './model-agent.ts'

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)

/** Two servers on one PostgreSQL: `first` executes, callers use `second`. */
describe.skipIf(!postgres)('two processes on one database', () => {
  const resources = new AsyncDisposableStack()
  let first: RunSetting
  let second: TestServer
  let origin: string

  beforeAll(async () => {
    if (!postgres) return
    resources.use(postgres)
    const { url } = resources.use(await postgres.createDatabase())
    const open = async () =>
      resources.use(await openDatabase({ kind: 'postgres', url, poolSize: 5, replicas: true }))
    first = resources.use(await startRunSetting({ overrides: { database: await open() } }))
    second = resources.use(await startTestServer({ overrides: { database: await open() } }))
    for (const { app } of [first.server, second]) await app.listen({ port: 0, host: '127.0.0.1' })
    origin = `http://127.0.0.1:${(second.app.server.address() as AddressInfo).port}`
  })
  afterAll(() => resources.disposeAsync())

  const key = () => first.server.seed.keys.organization
  const startRun = async (path: 'run' | 'run-stream') => {
    const { agentId } = await first.agent()
    first.model.script({ text: 'Once upon a time', chunks: 4, hang: 'stream' })
    const { port } = first.server.app.server.address() as AddressInfo
    const blocked = fetch(`http://127.0.0.1:${port}/api/v1/agents/${agentId}/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key(), 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'x' }),
    }).then(async (response) => ({ status: response.status, text: await response.text() }))
    const { active } = first.server.context.runs
    await expect.poll(() => active.size).toBe(1)
    await expect.poll(() => first.model.requests.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    return { agentId, runId: active.runIds()[0] ?? '', blocked }
  }

  test('a cancel on the other process aborts the upstream socket without a poll', async () => {
    const { agentId, runId, blocked } = await startRun('run')
    const cancel = () => second.call(`DELETE /api/v1/agents/${agentId}/runs/${runId}`, { key: key() })
    const open = first.model.requests.map((request) => ({ request }))
    const { body } = await closedBySignal([first.server, second], open, cancel)
    expect(body).toEqual({ cancelled: true, runId })
    expect(await blocked).toMatchObject({ status: 409, text: expect.stringContaining('run_cancelled') })
    expect((await cancel()).body).toMatchObject({ cancelled: false })
    first.model.reset()
  })

  test('a stream is followed to its end on the other process', async () => {
    const { agentId, runId, blocked } = await startRun('run-stream')
    const followed = await readEvents(`${origin}/api/v1/agents/${agentId}/runs/${runId}/stream`, {
      headers: { 'x-api-key': key() },
    })
    const text = () =>
      followed.events.flatMap((event) => (event.event === 'RunContent' ? [event.delta] : [])).join('')
    await expect.poll(text).toBe('Once upon a time')
    await first.server.call(`DELETE /api/v1/agents/${agentId}/runs/${runId}`)
    await Promise.all([followed.ended, blocked])
    expect(followed.events.at(-1)).toMatchObject({ event: 'RunCancelled', content: 'Once upon a time' })
    first.model.reset()
  })

  test('a change made on one process is seen by runs on the other', async () => {
    const { agentId } = await first.agent({ instructions: 'Old.' })
    const run = () =>
      second.call(`POST /api/v1/agents/${agentId}/run`, { key: key(), body: { message: 'x' } })
    expect((await run()).status).toBe(200)
    await first.server.call(`PUT /api/v1/agents/${agentId}`, { body: { config: { instructions: 'New.' } } })
    await expect
      .poll(async () => {
        await run()
        return JSON.stringify(first.model.requests.at(-1)?.body.messages)
      })
      .toContain('New.')
  })
})
