import { startRestateServer } from '@troupe/engine/testing'
import { startBalancer } from '@troupe/engine/testing/balancer'
import { openDatabase } from '@troupe/storage'
import { freePort } from '@troupe/test-kit/free-port'
import { testPostgres } from '@troupe/test-kit/postgres'
import { startTestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ReviewSetting, reviewGraph } from './review-setting.ts'

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)
const restate = postgres && (await startRestateServer())

describe.skipIf(!restate)('two workers with a real Restate between them', () => {
  const resources = new AsyncDisposableStack()
  let here: ReviewSetting
  let there: ReviewSetting
  beforeAll(async () => {
    if (!postgres || !restate) return
    resources.use(postgres)
    resources.use(restate)
    const { url } = resources.use(await postgres.createDatabase())
    const ports = [await freePort(), await freePort()]
    const balancer = resources.use(await startBalancer(ports))
    const start = async (port: number) => {
      const database = await openDatabase({ kind: 'postgres', url, poolSize: 5, replicas: true })
      const env = {
        RESTATE_INGRESS_URL: restate.ingressUrl,
        RESTATE_ADMIN_URL: restate.adminUrl,
        RESTATE_WORKER_URL: balancer.url,
        RESTATE_WORKER_PORT: String(port),
        RESTATE_IDENTITY_KEYS: restate.identityKey,
      }
      const server = await startTestServer({ overrides: { database: resources.use(database) }, env })
      return new ReviewSetting(resources.use(server))
    }
    here = await start(ports[0] ?? 0)
    there = await start(ports[1] ?? 0)
    for (const { server } of [here, there]) {
      const healthy = async () => expect(await server.context.engine.health()).toEqual({ healthy: true })
      await vi.waitFor(healthy, { timeout: 20_000 })
    }
  }, 60_000)
  afterAll(() => resources.disposeAsync())

  test('nothing in the engine waits for people: the answer is a separate delivery, to any worker', async () => {
    for (const answering of [here, there]) {
      const { executionId, reviews } = await here.ask(reviewGraph())
      expect(await here.reaches(executionId, 'awaiting_approval')).toMatchObject({
        statusReason: 'waiting for 1 review: "Approve refund"',
      })
      const { keys } = here.server.seed
      const body = { decision: 'approve', comment: 'Yes' }
      expect(await answering.decide(reviews[0]?.reviewId, body, keys.organization)).toMatchObject({
        status: 200,
      })
      expect(await here.output(executionId)).toMatchObject({ went: 'approved', review: { comment: 'Yes' } })
    }
  }, 60_000)
})
