import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, type ReviewPages, startReviewPages } from './review-pages.ts'

let pages: ReviewPages
let server: ReviewPages['server']
let setting: ReviewPages['setting']
let ana: Person
let ben: Person
beforeAll(async () => {
  pages = await startReviewPages()
  ;({ server, setting, ana, ben } = pages)
})
afterAll(() => pages?.server[Symbol.asyncDispose]())

test('a quorum counts each user once, continues with the latest values, and the first rejection rejects', async () => {
  const fields = [{ name: 'amount', label: 'Amount', type: 'number', value: 1 }]
  const config = { approvalsRequired: 2, fields }
  const { reviewId, executionId } = await pages.linked(config)
  expect((await pages.post(reviewId, { decision: 'approve', 'data.amount': '5' }, ana)).status).toBe(303)
  const again = await pages.post(reviewId, { decision: 'approve', 'data.amount': '6' }, ana)
  expect(again.status).toBe(409)
  expect(String(again.body)).toContain('You have already approved. The review waits for 1 more.')
  expect((await server.call(`GET /api/v1/reviews/${reviewId}`)).body).toMatchObject({
    status: 'open',
    approvals: 1,
    approvalsRequired: 2,
    fields: [{ value: 5 }],
    decision: null,
  })
  expect(await setting.poll(executionId)).toMatchObject({ status: 'awaiting_approval' })
  const seen = String((await pages.get(`/reviews/${reviewId}`, ana)).body)
  expect(seen).toContain('You have already approved. The review waits for 1 more.')
  expect(seen).not.toMatch(/>Approve<|name="data.amount"/)
  expect(seen).toContain('>Reject<')
  const inbox = async (who: Person) => String((await pages.get('/reviews?status=open', who)).body)
  expect(await inbox(ana)).toContain('You approved')
  expect(await inbox(ben)).not.toContain('You approved')
  const other = String((await pages.get(`/reviews/${reviewId}?said=approve`, ben)).body)
  expect(other).not.toContain('already approved')
  expect(other).toMatch(/>Approve</)
  expect(await setting.decide(reviewId, { decision: 'approve' })).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  })
  expect(await setting.output(executionId)).toMatchObject({ review: { data: { amount: 5 } } })

  const third = await pages.linked({ ...config, approvalsRequired: 3 })
  expect((await pages.post(third.reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  const own = await pages.get(`/reviews/${third.reviewId}`, ana)
  expect(own.status).toBe(200)
  expect(String(own.body)).toContain('>Reject<')
  expect(String(own.body)).not.toContain('name="revision"')
  // The page shows no values, so it is not outdated when they change.
  const changing = { decision: 'approve', 'data.amount': '900' }
  expect((await pages.post(third.reviewId, changing, ben)).status).toBe(303)
  expect((await pages.post(third.reviewId, { decision: 'reject', comment: 'No' }, ana)).status).toBe(303)
  expect(await setting.output(third.executionId)).toMatchObject({ went: 'rejected' })

  const second = await pages.linked(config)
  await pages.post(second.reviewId, { decision: 'approve' }, ana)
  await pages.post(second.reviewId, { decision: 'reject', comment: 'No' }, ben)
  expect(await setting.output(second.executionId)).toMatchObject({ went: 'rejected' })
})

test('a page with values that another approval has changed decides nothing, and is shown again with the current ones', async () => {
  const fields = [
    { name: 'amount', label: 'Amount', type: 'number', value: 12 },
    { name: 'note', label: 'Note', type: 'textarea', value: 'Two\r\nlines' },
  ]
  const { path, reviewId, executionId, token } = await pages.linked({ approvalsRequired: 2, fields })
  const revisionIn = (body: unknown) => /name="revision" value="([^"]+)"/.exec(String(body))?.[1] ?? ''
  const revision = revisionIn((await pages.get(path)).body)
  expect(revision).not.toBe('')
  expect((await pages.post(reviewId, { decision: 'approve', 'data.amount': '900' }, ben)).status).toBe(303)

  const typed = {
    token,
    decision: 'approve',
    comment: 'Fine',
    'data.amount': '10',
    'data.note': 'Two\r\nlines',
  }
  // Without a name, the page shows the input for the old values again.
  const nameless = await pages.post(reviewId, { ...typed, revision })
  expect(nameless.status).toBe(400)
  expect(revisionIn(nameless.body)).toBe(revision)
  const refused = await pages.post(reviewId, { ...typed, name: 'Zoe', revision })
  expect(refused.status).toBe(409)
  const text = String(refused.body)
  // A link alone does not reveal other reviewers.
  expect(text).toContain('The proposed values were changed since you read them.')
  expect(text).not.toContain('Ben')
  expect(text).toMatch(/Amount<\/a>: you sent “10”/)
  expect(text).not.toContain('Note</a>')
  expect(text).toMatch(/name="data.amount"[^>]* value="900"/)
  expect(text).toMatch(/value="Zoe"/)
  expect(text).toContain('Fine</textarea>')
  expect(await pages.statusOf(reviewId)).toBe('open')

  const now = revisionIn(text)
  expect(now).not.toBe(revision)
  expect((await pages.post(reviewId, { ...typed, name: 'Zoe', revision: now })).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({ review: { data: { amount: 10 } } })
})

test('a user who has approved in the meantime sees no values when a rejection comes from an outdated page', async () => {
  const fields = [{ name: 'amount', label: 'Amount', type: 'number', value: 12 }]
  const { reviewId } = await pages.linked({ approvalsRequired: 3, fields })
  const page = String((await pages.get(`/reviews/${reviewId}`, ana)).body)
  const revision = /name="revision" value="([^"]+)"/.exec(page)?.[1] ?? ''
  expect((await pages.post(reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  expect((await pages.post(reviewId, { decision: 'approve', 'data.amount': '900' }, ben)).status).toBe(303)
  const refused = await pages.post(reviewId, { decision: 'reject', revision, 'data.amount': '10' }, ana)
  expect(refused.status).toBe(409)
  const text = String(refused.body)
  expect(text).toContain('Your decision was not stored')
  expect(text).toContain('The proposed values were changed by Ben')
  expect(text).not.toMatch(/current values|you sent|Amount/)
  expect((await pages.post(reviewId, { decision: 'reject' }, ana)).status).toBe(303)
  expect(await pages.statusOf(reviewId)).toBe('rejected')
})

test('reviewers who change nothing approve the proposed values, with their line breaks', async () => {
  const value = { address: 'Main Street 1\nSpringfield', note: 'Two\r\nlines\rand one', blank: '  ' }
  const fields = [
    { name: 'address', label: 'Address', type: 'text', value: value.address },
    { name: 'note', label: 'Note', type: 'textarea', value: value.note },
    { name: 'blank', label: 'Blank', type: 'text', value: value.blank },
  ]
  const { reviewId, executionId } = await pages.linked({ approvalsRequired: 2, fields })
  const page = String((await pages.get(`/reviews/${reviewId}`, ben)).body)
  const revision = /name="revision" value="([^"]+)"/.exec(page)?.[1] ?? ''
  expect(page).toMatch(/<textarea [^>]*name="data.address"/)
  // Single-line inputs have no line breaks, and browsers post CRLF for each.
  const untouched = {
    ...{ decision: 'approve', revision, 'data.blank': value.blank },
    'data.address': 'Main Street 1\r\nSpringfield',
    'data.note': 'Two\r\nlines\r\nand one',
  }
  for (const who of [ana, ben]) expect((await pages.post(reviewId, untouched, who)).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({ review: { data: value } })
})

test('all holders of one link have one vote of a quorum together', async () => {
  const { reviewId, token } = await pages.linked({ approvalsRequired: 2 })
  await pages.post(reviewId, { token, decision: 'approve', name: 'Zoe' })
  const other = await pages.post(reviewId, { token, decision: 'approve', name: 'Somebody else' })
  expect(other.status).toBe(409)
  expect(String(other.body)).toContain('A visitor with the link has already approved.')
  expect((await pages.post(reviewId, { token, decision: 'approve', name: 'Zoe' })).status).toBe(303)
  expect(await pages.statusOf(reviewId)).toBe('open')
})

test('a signed-in user has one vote of a quorum, by session and by link', async () => {
  const { reviewId, token, path } = await pages.linked({ approvalsRequired: 2 })
  expect((await pages.post(reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  expect(String((await pages.get(path, ana)).body)).toContain('You have already approved.')
  await pages.post(reviewId, { token, decision: 'approve', name: 'Not Ana', comment: 'Again' }, ana)
  expect((await server.call(`GET /api/v1/reviews/${reviewId}`)).body).toMatchObject({
    status: 'open',
    approvals: 1,
  })
})
