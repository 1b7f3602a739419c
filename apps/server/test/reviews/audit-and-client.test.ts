import type { AddressInfo } from 'node:net'
import { createClient, unwrap } from '@troupe/client'
import type { AuditEntry, Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReviewSetting, reviewGraph } from './review-setting.ts'

const resources = new AsyncDisposableStack()
const audit: AuditEntry[] = []
let server: TestServer
let setting: ReviewSetting

beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  const audited: Database = {
    ...database,
    exclusive: true,
    transaction: (work) =>
      database.transaction((tx) => {
        const append: typeof tx.write.audit.append = (entry) => {
          audit.push(entry)
          return tx.write.audit.append(entry)
        }
        return work({ ...tx, write: { ...tx.write, audit: { ...tx.write.audit, append } } })
      }),
    [Symbol.asyncDispose]: async () => {},
  }
  server = resources.use(await startTestServer({ overrides: { database: audited } }))
  setting = new ReviewSetting(server)
})
afterAll(() => resources.disposeAsync())

test('every decision is in the audit log, once: actor and subject, but not its contents', async () => {
  const show = [{ label: 'Card', value: '4111 1111' }]
  const { executionId, reviews } = await setting.ask(reviewGraph({ show }))
  const [review] = reviews
  audit.length = 0
  await setting.decide(review?.reviewId, { decision: 'approve', data: { nonsense: 1 } })
  expect(audit).toEqual([])
  await setting.decide(review?.reviewId, { decision: 'reject', comment: 'No' })
  await setting.decide(review?.reviewId, { decision: 'reject', comment: 'No' })
  await setting.decide(review?.reviewId, { decision: 'approve' })
  expect(audit).toMatchObject([
    {
      organizationId: server.seed.organizationId,
      actor: {
        kind: 'api_key',
        id: expect.any(String),
        ip: expect.any(String),
        requestId: expect.any(String),
      },
      action: 'review.rejected',
      entityKind: 'review',
      entityId: review?.reviewId,
      after: { runId: executionId, nodeId: 'ask', path: '', by: { type: 'apiKey' }, comment: 'No' },
    },
  ])
  expect(JSON.stringify(audit)).not.toContain('4111 1111')
  await setting.output(executionId)
})

test('the client lists, reads and decides reviews', async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const apiKey = server.seed.keys.organization
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey })
  const { executionId } = await setting.ask(reviewGraph())
  const { data } = await unwrap(client.workflows.reviews(executionId))
  const reviewId = data[0]?.reviewId ?? ''
  expect(await unwrap(client.reviews.get(reviewId))).toEqual(data[0])
  expect((await unwrap(client.reviews.list({ status: 'open' }))).data).toEqual(data)
  expect(await unwrap(client.reviews.decide(reviewId, { decision: 'approve' }))).toMatchObject({
    status: 'approved',
  })
  const late = await client.reviews.decide(reviewId, { decision: 'reject' })
  expect(late).toMatchObject({ error: { code: 'review_already_decided' } })
})
