import { createHmac } from 'node:crypto'
import { Writable } from 'node:stream'
import { checkedId, OrganizationId, ReviewId, WorkflowId } from '@troupe/contract'
import type { Mail } from '@troupe/mail'
import { createLogger } from '@troupe/telemetry/logger'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ReviewSetting, reviewGraph, WAIT } from './review-setting.ts'

const HOOK = 'https://hooks.example.com/reviews?secret=of-theirs'
const SIGNING_SECRET = `whs_${'5'.repeat(64)}`

interface Call {
  url: string
  headers: Record<string, string>
  body: string
}

let server: TestServer
let setting: ReviewSetting
let log = ''
let mails: Mail[] = []
let calls: Call[] = []
/** The receivers' behaviours, in order; empty: they accept everything. */
let troubles: ('mail' | 'hook')[] = []

function fails(kind: 'mail' | 'hook'): boolean {
  const at = troubles.indexOf(kind)
  if (at >= 0) troubles.splice(at, 1)
  return at >= 0
}

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  server = await startTestServer({
    overrides: {
      log: createLogger({ level: 'trace' }, sink),
      mailer: {
        sends: true,
        async send(mail) {
          if (fails('mail')) throw new Error('421 try again')
          mails.push(mail)
        },
      },
      outgoing: {
        async fetch(url, init) {
          if (fails('hook')) return new Response('no', { status: 503 })
          const headers = Object.fromEntries(new Headers(init?.headers))
          calls.push({ url: String(url), headers, body: String(init?.body) })
          return new Response('ok')
        },
        async [Symbol.asyncDispose]() {},
      },
    },
  })
  setting = new ReviewSetting(server)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  mails = []
  calls = []
  troubles = []
})

const notify = { emails: ['ana@example.com', 'ben@example.com'], webhookUrl: HOOK }

/** Advances to the next retry, and runs the watchdog. */
const tryAgain = () => server.context.duties.perform('watchdog')

test('an open review is announced by e-mail and webhook, with a link and without the payload', async () => {
  const show = [{ label: 'Card', value: '4111 1111' }]
  const { workflowId, executionId, reviews } = await setting.ask(
    reviewGraph({ notify, show, instructions: 'Secret words', timeout: { after: 3, unit: 'days' } }),
  )
  await expect.poll(() => [mails.length, calls.length], WAIT).toEqual([2, 1])
  const [review] = reviews
  expect(mails.map(({ to }) => to)).toEqual(notify.emails)
  expect(mails[0]).toMatchObject({ subject: 'Please review: Refund A-1', id: review?.reviewId })
  const link = /https?:\S+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  expect(link).toMatch(new RegExp(`^http://localhost:3000/reviews/${review?.reviewId}\\?token=\\w{43}$`))
  expect(mails[0]?.html).toContain(`href="${link}" style=`)
  expect(calls[0]).toMatchObject({ url: HOOK, headers: { 'webhook-id': review?.reviewId } })
  expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
    type: 'review.opened',
    reviewId: review?.reviewId,
    executionId,
    workflowId,
    workflowName: 'Refunds',
    title: 'Refund A-1',
    link,
    expiresAt: review?.expiresAt,
  })
  const everything = JSON.stringify([mails, calls])
  expect(everything).not.toContain('4111 1111')
  expect(everything).not.toContain('Secret words')

  const token = link.split('token=')[1] ?? '?'
  const answers = await Promise.all(
    [
      `reviews/${review?.reviewId}`,
      'reviews?limit=100',
      `workflow-jobs/${executionId}/reviews`,
      `workflow-jobs/${executionId}/nodes`,
    ].map((path) => server.call(`GET /api/v1/${path}`)),
  )
  expect(JSON.stringify(answers)).not.toContain(token)
  expect(log).not.toContain(token)
  await setting.decide(review?.reviewId, { decision: 'approve' })
  await setting.output(executionId)
})

test('a webhook is signed with the signing secret of the workflow, in the format of ours', async () => {
  const workflowId = checkedId(
    WorkflowId,
    await setting.workflow(reviewGraph({ notify: { webhookUrl: HOOK } })),
  )
  const organizationId = checkedId(OrganizationId, server.seed.organizationId)
  const { secretBox, database } = server.context
  await database.transaction(({ write }) =>
    write.webhooks.putSecrets(organizationId, workflowId, {
      tokenHash: workflowId,
      tokenSealed: '',
      signingSecretSealed: secretBox.seal(SIGNING_SECRET, {
        purpose: 'workflow.signing_secret',
        id: workflowId,
      }),
      previousSecretSealed: null,
      previousSecretUntil: null,
    }),
  )
  await setting.start(workflowId)
  await expect.poll(() => calls.length, WAIT).toBe(1)
  const { headers = {}, body = '' } = calls[0] ?? {}
  const timestamp = headers['x-service-timestamp'] ?? ''
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30)
  const expected = createHmac('sha256', SIGNING_SECRET).update(`${timestamp}.${body}`).digest('hex')
  expect(headers['x-service-signature']).toBe(expected)
})

test('failed notifications are retried, sent ones are not repeated, and the run is unaffected', async () => {
  troubles = ['mail', 'hook']
  const { executionId, reviews } = await setting.ask(reviewGraph({ notify }))
  await expect.poll(() => mails.map(({ to }) => to), WAIT).toEqual(['ben@example.com'])
  await tryAgain()
  expect(calls).toEqual([])
  // The next retry is due in 30 seconds; here immediately.
  const left = { emails: ['ana@example.com'], webhookUrl: HOOK }
  const { reviews: store } = server.context.database
  await expect
    .poll(
      () => store.noticed(checkedId(ReviewId, reviews[0]?.reviewId ?? ''), { notify: left, retrySeconds: 0 }),
      WAIT,
    )
    .toBe(true)
  await expect
    .poll(async () => {
      await tryAgain()
      return [mails.map(({ to }) => to), calls.length]
    }, WAIT)
    .toEqual([['ben@example.com', 'ana@example.com'], 1])
  expect(await setting.poll(executionId)).toMatchObject({ status: 'awaiting_approval', error: null })
  expect(new Set(mails.map(({ id }) => id))).toEqual(new Set([reviews[0]?.reviewId]))
  expect(log).not.toContain('of-theirs')
  expect(log).not.toContain('ana@example.com')
})

test('withdrawn and decided reviews send no more notifications', async () => {
  troubles = ['mail', 'mail', 'hook']
  const { executionId, reviews } = await setting.ask(reviewGraph({ notify }))
  await expect.poll(() => troubles, WAIT).toEqual([])
  await server.call(`POST /api/v1/workflow-jobs/${executionId}/cancel`)
  const { reviews: store } = server.context.database
  expect(
    await store.noticed(checkedId(ReviewId, reviews[0]?.reviewId ?? ''), { notify, retrySeconds: 0 }),
  ).toBe(false)
  await tryAgain()
  expect([mails, calls]).toEqual([[], []])
})

test('a review without recipients sends nothing', async () => {
  await setting.ask(reviewGraph())
  await tryAgain()
  expect([mails, calls]).toEqual([[], []])
})
