import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ORIGIN, type Person, type ReviewPages, startReviewPages } from './review-pages.ts'
import { reviewGraph } from './review-setting.ts'

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

// activepieces/activepieces#14024, #14026, #14252, n8n-io/n8n#13792, #34255
test('mail scanners may open a link any number of times: GET and HEAD decide nothing', async () => {
  const { path, reviewId, executionId } = await pages.linked()
  for (const method of ['HEAD', 'GET', 'GET', 'HEAD']) {
    expect((await pages.get(path, null, method)).status).toBe(200)
    for (const trap of ['&decision=approve', '&said=approve', '&decision=reject&comment=x']) {
      expect((await pages.get(`${path}${trap}`, null, method)).status).toBe(200)
    }
  }
  expect(await pages.statusOf(reviewId)).toBe('open')
  expect(await setting.poll(executionId)).toMatchObject({ status: 'awaiting_approval' })
})

test('a link shows the review, and its button decides without a sign-in or JavaScript', async () => {
  const { path, reviewId, executionId, token } = await pages.linked({
    instructions:
      '# Check\n\n<script>alert(1)</script> ![x](https://evil.example/x.png) [y](javascript:alert(1))',
    show: [{ label: 'Order', value: '{{ trigger }}' }],
    fields: [{ name: 'amount', label: 'Amount <b>', type: 'number', required: true, value: 12 }],
  })
  const page = await pages.get(path)
  expect(page.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
  })
  const text = String(page.body)
  expect(text).toContain('<h1>Refund A-1</h1>')
  expect(text).toContain('<h3>Check</h3>')
  expect(text).toContain('Amount &lt;b&gt;')
  expect(text).not.toMatch(/<script|<img|href="javascript/)

  const refused = await pages.post(reviewId, {
    token,
    decision: 'approve',
    'data.amount': 'many',
    comment: 'C <i>',
  })
  expect(refused.status).toBe(400)
  expect(String(refused.body)).toContain('Amount &lt;b&gt; must be a number')
  expect(String(refused.body)).toContain('Your name is required')
  expect(String(refused.body)).toContain('value="many"')
  expect(String(refused.body)).toContain('C &lt;i&gt;</textarea>')

  const sent = await pages.post(reviewId, {
    token,
    decision: 'approve',
    'data.amount': '7',
    comment: '',
    name: 'Zoe',
  })
  expect(sent).toMatchObject({ status: 303 })
  expect(await setting.output(executionId)).toMatchObject({
    went: 'approved',
    review: {
      data: { amount: 7 },
      comment: null,
      reviewedBy: { type: 'link', id: reviewId, name: 'Zoe' },
    },
  })
})

test('a rejection needs no values, and all of its errors are reported at once', async () => {
  const { reviewId, token } = await pages.linked({
    requireRejectComment: true,
    fields: [{ name: 'amount', label: 'Amount', type: 'number', required: true, value: 12 }],
  })
  const sent = { token, decision: 'reject', 'data.amount': 'many' }
  const refused = await pages.post(reviewId, sent)
  expect(refused.status).toBe(400)
  expect(String(refused.body)).toContain('Write a comment: it is required to reject.')
  expect(String(refused.body)).toContain('Your name is required')
  expect(String(refused.body)).not.toContain('must be a number')
  expect((await pages.post(reviewId, { ...sent, name: 'Zoe', comment: 'Too much' })).status).toBe(303)
  const { body } = await server.call(`GET /api/v1/reviews/${reviewId}`)
  expect(body).toMatchObject({ status: 'rejected', decision: { comment: 'Too much', data: { amount: 12 } } })
})

test('a link ends with its review: it shows only the verdict and decides nothing', async () => {
  const { path, reviewId, token, executionId } = await pages.linked({
    show: [{ label: 'Card', value: '4111 1111' }],
  })
  expect(String((await pages.get(path)).body)).toContain('4111 1111')
  await setting.decide(reviewId, { decision: 'reject', comment: 'Secret reason' })
  await setting.output(executionId)
  const page = await pages.get(path)
  expect(page.status).toBe(200)
  expect(String(page.body)).toContain('The review was rejected.')
  for (const secret of ['4111 1111', 'Refund A-1', 'Secret reason', '<form']) {
    expect(String(page.body)).not.toContain(secret)
  }
  const late = await pages.post(reviewId, { token, decision: 'approve', name: 'Zoe' })
  expect(late.status).toBe(409)
  expect(await pages.statusOf(reviewId)).toBe('rejected')
})

test('a name entered with a link is marked as such, for members, in the API and in the run', async () => {
  const { reviewId, token, executionId } = await pages.linked({}, [])
  await pages.post(reviewId, { token, decision: 'reject', name: ' Ana\r\n\u0085Smith ' })
  const said = 'Ana Smith (by the link)'
  expect(String((await pages.get(`/reviews/${reviewId}`, ben)).body)).toContain(`was rejected by ${said}.`)
  expect(await setting.decide(reviewId, { decision: 'approve' })).toMatchObject({
    status: 409,
    body: {
      message: `The review was rejected by ${said}.`,
      review: { decision: { by: { name: 'Ana Smith' } } },
    },
  })
  const { error } = await setting.reaches(executionId, 'failed')
  expect(error).toBe(`Review ask ("Approve refund") was rejected by ${said}`)
})

test('a form without fields is an empty one', async () => {
  const { reviewId } = await pages.linked()
  const empty = (id: string, headers: Record<string, string>) =>
    server.call(`POST /reviews/${id}`, { key: null, headers })
  expect((await empty(reviewId, {})).status).toBe(303)
  expect((await empty('anything', { cookie: ben.cookie, origin: ORIGIN })).status).toBe(404)
  const refused = await empty(reviewId, { cookie: ben.cookie, origin: ORIGIN })
  expect(refused.status).toBe(400)
  expect(String(refused.body)).toContain('Decision must be one of: approve, reject')
})

test('a wrong link, a link of another review and an unknown review get one response', async () => {
  const one = await pages.linked()
  const other = await pages.linked()
  const answers = await Promise.all([
    pages.get(`/reviews/${one.reviewId}?token=${other.token}`),
    pages.get(`/reviews/${one.reviewId}?token=x`),
    pages.get(`/reviews/${randomUUID()}?token=${one.token}`),
    pages.get(`/reviews/nonsense?token=${one.token}`),
    pages.post(one.reviewId, { token: other.token, decision: 'approve', name: 'Z' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(String(answers[0]?.body)).toContain('<h1>This link does not lead to a review</h1>')
  expect(await pages.statusOf(one.reviewId)).toBe('open')
})

test('without link and session the visitor is sent to the sign-in, whether the review exists or not', async () => {
  const { reviewId } = await pages.linked()
  for (const id of [reviewId, randomUUID()]) {
    expect(await pages.get(`/reviews/${id}`)).toMatchObject({
      status: 303,
      headers: { location: `/sign-in?next=${encodeURIComponent(`/reviews/${id}`)}` },
    })
  }
  expect(await pages.get('/reviews')).toMatchObject({
    status: 303,
    headers: { location: '/sign-in?next=%2Freviews' },
  })
  expect((await pages.post(reviewId, { decision: 'approve', name: 'Z' })).status).toBe(303)
  expect(await pages.statusOf(reviewId)).toBe('open')
})

test.for([
  ['certain roles', { reviewers: { kind: 'roles', roles: ['owner'] } }],
  ['whoever did not start the run', { allowSelfApproval: false }],
] as const)('a link to a review assigned to %s shows nothing before the sign-in', async ([, config]) => {
  const { path, reviewId, token } = await pages.linked(config)
  const page = await pages.get(path)
  expect(page.status).toBe(401)
  expect(String(page.body)).toContain('<h1>Sign in to decide this review</h1>')
  expect(String(page.body)).not.toContain('Refund A-1')
  expect((await pages.post(reviewId, { token, decision: 'approve', name: 'Z' })).status).toBe(401)
  expect(await pages.statusOf(reviewId)).toBe('open')
})

test('a review assigned to a role is visible to others, but only the role decides', async () => {
  const { reviewId, executionId, path } = await pages.linked({
    reviewers: { kind: 'roles', roles: ['owner'] },
  })
  const seen = await pages.get(`/reviews/${reviewId}`, ben)
  expect(String(seen.body)).toContain('This review is assigned to people with the role owner.')
  expect(String(seen.body)).not.toContain('<form')
  expect((await pages.post(reviewId, { decision: 'approve' }, ben)).status).toBe(403)
  expect(await setting.decide(reviewId, { decision: 'approve' })).toMatchObject({
    status: 403,
    body: { error: 'not_a_reviewer' },
  })
  expect((await pages.get(path, ana)).status).toBe(200)
  expect((await pages.post(reviewId, { decision: 'approve', comment: 'Yes' }, ana)).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({
    review: { comment: 'Yes', reviewedBy: { type: 'user', id: ana.userId, name: 'Ana' } },
  })
  const over = String((await pages.get(`/reviews/${reviewId}`, ben)).body)
  expect(over).toContain('The review was approved by Ana.')
})

test('a review assigned to named users accepts decisions only from them', async () => {
  const { reviewId, executionId } = await pages.linked({
    reviewers: { kind: 'users', userIds: [ben.userId] },
  })
  expect((await pages.post(reviewId, { decision: 'approve' }, ana)).status).toBe(403)
  expect((await pages.post(reviewId, { decision: 'reject', comment: 'No' }, ben)).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({ review: { reviewedBy: { name: 'Ben' } } })
})

test('a page of another site cannot make a signed-in browser decide', async () => {
  const { reviewId } = await pages.linked()
  for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
    expect((await pages.post(reviewId, { decision: 'approve' }, ana, headers as never)).status).toBe(403)
  }
  expect(await pages.statusOf(reviewId)).toBe('open')
})

test('a member of another organization sees neither the inbox nor the review', async () => {
  const { reviewId } = await pages.linked()
  const eve = await pages.person('Eve', 'owner', server.seed.otherOrganizationId)
  expect((await pages.get(`/reviews/${reviewId}`, eve)).status).toBe(404)
  expect((await pages.post(reviewId, { decision: 'approve' }, eve)).status).toBe(404)
  expect(
    String((await pages.get(`/reviews?organizationId=${server.seed.organizationId}&status=all`, eve)).body),
  ).not.toContain('Refund')
})

test('a suspended member loses access immediately', async () => {
  const { reviewId } = await pages.linked()
  const gone = await pages.person('Gone', 'member')
  expect((await pages.get(`/reviews/${reviewId}`, gone)).status).toBe(200)
  const { organizationId } = server.seed
  await server.context.database.transaction(({ write }) =>
    write.members.put({ organizationId, userId: gone.userId, role: 'member', status: 'suspended' }),
  )
  expect((await pages.get(`/reviews/${reviewId}`, gone)).status).toBe(404)
})

test('a visitor comes back to the filter of the inbox after the sign-in', async () => {
  const { headers } = await pages.get('/reviews?status=rejected')
  expect(headers.location).toBe(`/sign-in?next=${encodeURIComponent('/reviews?status=rejected')}`)
})

test('the inbox lists open reviews, by status and by workflow, and links to each review', async () => {
  const { executionId, reviews } = await setting.ask(reviewGraph({ title: 'Inbox {{ trigger.order }}' }))
  const { reviewId, workflowId } = reviews[0] ?? {}
  const inbox = async (query = '?status=open') => String((await pages.get(`/reviews${query}`, ana)).body)
  expect(await inbox()).toContain(`<a class="title" href="/reviews/${reviewId}">Inbox A-1</a>`)
  // Rows have no status badge under the filter of their status.
  expect(await inbox()).not.toContain('<span class="badge open">')
  expect(await inbox('?status=all')).toContain('<span class="badge open">Open</span>')
  const narrowed = await inbox(`?workflowId=${workflowId}`)
  expect(narrowed.match(/class="title"/g)).toHaveLength(1)
  const { organizationId } = setting.server.seed
  expect(
    await inbox(`?workflowId=${workflowId?.toUpperCase()}&organizationId=${organizationId.toUpperCase()}`),
  ).toContain('Inbox A-1')
  expect(await inbox(`?status=approved&workflowId=${workflowId}`)).toContain('There is nothing here.')
  await pages.post(reviewId, { decision: 'approve' }, ana)
  await setting.output(executionId)
  expect(await inbox(`?workflowId=${workflowId}`)).toContain('No review is waiting for a decision.')
  expect(await inbox(`?status=approved&workflowId=${workflowId}`)).toContain('Inbox A-1')
  expect(
    (await pages.get('/reviews?status=nonsense&workflowId=x&page=-1&organizationId=7', ana)).status,
  ).toBe(200)
})

test('the starter of a run can be excluded from deciding, and so can keys', async () => {
  const own = await pages.linked({ allowSelfApproval: false })
  expect(await setting.decide(own.reviewId, { decision: 'approve' })).toMatchObject({
    status: 403,
    body: { error: 'not_a_reviewer', message: 'The person who started the run may not decide.' },
  })
  expect((await pages.post(own.reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  const people = await pages.linked({ allowApiKeys: false })
  expect(await setting.decide(people.reviewId, { decision: 'approve' })).toMatchObject({
    status: 403,
    body: { error: 'not_a_reviewer' },
  })
  expect((await pages.post(people.reviewId, { decision: 'approve' }, ben)).status).toBe(303)
})

test('guesses of links are limited, and do not block the holder of the right link', async () => {
  const { path, reviewId } = await pages.linked()
  const tries = await Promise.all(
    // The case of the id makes no second allowance.
    Array.from({ length: 125 }, (_, index) =>
      pages.get(`/reviews/${index % 2 === 0 ? reviewId : reviewId.toUpperCase()}?token=x`),
    ),
  )
  const refused = tries.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(5)
  expect(String(refused[0]?.body)).toContain('Too many requests')
  expect(refused[0]?.headers['retry-after']).toMatch(/^\d+$/)
  const other = await pages.linked()
  expect((await pages.get(other.path)).status).toBe(200)
  expect((await pages.get(path)).status).toBe(429)
})

test('a member of one organization is redirected to its inbox in the builder, and with a filter gets the page without JavaScript', async () => {
  const rita = await pages.person('Rita', 'reviewer')
  const { database } = setting.server.context
  const organization = await database.read.organizations.byId(setting.server.seed.organizationId)
  expect(await pages.get('/reviews', rita)).toMatchObject({
    status: 303,
    headers: { location: `/o/${organization?.slug}/reviews` },
  })
  const plain = await pages.get('/reviews?status=open', rita)
  expect(plain.status).toBe(200)
  // Every filter stays on this page.
  expect(String(plain.body)).not.toMatch(/href="\/reviews"/)
  // The page lists several organizations together, the builder only one.
  await database.transaction(({ write }) =>
    write.members.put({
      organizationId: setting.server.seed.otherOrganizationId,
      userId: rita.userId,
      role: 'reviewer',
      status: 'active',
    }),
  )
  expect((await pages.get('/reviews', rita)).status).toBe(200)
})

test('a reviewer sees the reviews assigned to them, in the inbox and by URL, and no others', async () => {
  const rita = await pages.person('Rita', 'reviewer')
  const asking = await setting.ask(
    reviewGraph({ title: 'For Rita', reviewers: { kind: 'users', userIds: [rita.userId] } }),
  )
  const others = await setting.ask(
    reviewGraph({ title: 'For owners', reviewers: { kind: 'roles', roles: ['owner'] } }),
  )
  const inbox = String((await pages.get('/reviews?status=open', rita)).body)
  expect(inbox).toContain('For Rita')
  expect(inbox).not.toContain('For owners')
  expect(String((await pages.get('/reviews?status=open', ana)).body)).toContain('For owners')
  const [own, foreign] = [asking.reviews[0]?.reviewId, others.reviews[0]?.reviewId]
  expect((await pages.get(`/reviews/${own}`, rita)).status).toBe(200)
  expect((await pages.get(`/reviews/${foreign}`, rita)).status).toBe(404)
  expect((await pages.post(foreign, { decision: 'approve' }, rita)).status).toBe(404)
  expect((await pages.post(own, { decision: 'approve' }, rita)).status).toBeLessThan(400)
})
