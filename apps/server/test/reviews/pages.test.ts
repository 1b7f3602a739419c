import { randomUUID } from 'node:crypto'
import type { MemberRole, OrganizationId, UserId } from '@troupe/contract'
import { seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReviewSetting, reviewGraph, WAIT } from './review-setting.ts'

const ORIGIN = 'http://localhost:3000'

let server: TestServer
let setting: ReviewSetting
/** The links that were mailed, by review. */
const links = new Map<string, string>()
let ana: Person
let ben: Person

interface Person {
  userId: UserId
  cookie: string
}

beforeAll(async () => {
  server = await startTestServer({
    overrides: {
      mailer: {
        sends: true,
        async send({ id = '', text }) {
          links.set(id, /https?:\S+/.exec(text)?.[0].replace(ORIGIN, '') ?? '')
        },
      },
    },
  })
  setting = new ReviewSetting(server)
  ana = await person('Ana', 'owner')
  ben = await person('Ben', 'member')
})
afterAll(() => server[Symbol.asyncDispose]())

async function person(
  name: string,
  role: MemberRole,
  organizationId: OrganizationId = server.seed.organizationId,
): Promise<Person> {
  const seeded = await seedPerson(server.context.database, { organizationId, role, name })
  return { userId: seeded.userId, cookie: await signIn(server, seeded) }
}

/** Opens a page as a browser does. */
const get = (path: string, who: Person | null = null, method = 'GET') =>
  server.call(`${method} ${path}`, { key: null, headers: who ? { cookie: who.cookie } : {} })

/** Sends the form of a page as a browser does. */
const post = (
  reviewId: string | undefined,
  fields: Record<string, string>,
  who: Person | null = null,
  headers: Record<string, string> = who ? { origin: ORIGIN } : {},
) =>
  server.call(`POST /reviews/${reviewId}`, {
    key: null,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(who && { cookie: who.cookie }),
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  })

async function linked(config: object = {}, leadsOn?: string[]) {
  const graph = reviewGraph({ notify: { emails: ['ana@acme.test'] }, ...config }, leadsOn)
  const { executionId, reviews } = await setting.ask(graph)
  const reviewId = reviews[0]?.reviewId ?? ''
  await expect.poll(() => links.has(reviewId), WAIT).toBe(true)
  const path = links.get(reviewId) ?? ''
  return { executionId, reviewId, path, token: new URL(path, ORIGIN).searchParams.get('token') ?? '' }
}

const statusOf = async (reviewId: string) =>
  ((await server.call(`GET /api/v1/reviews/${reviewId}`)).body as { status: string }).status

// activepieces/activepieces#14024, #14026, #14252, n8n-io/n8n#13792, #34255
test('mail scanners may open a link as often as they like: GET and HEAD decide nothing', async () => {
  const { path, reviewId, executionId } = await linked()
  for (const method of ['HEAD', 'GET', 'GET', 'HEAD']) {
    expect((await get(path, null, method)).status).toBe(200)
    for (const trap of ['&decision=approve', '&said=approve', '&decision=reject&comment=x']) {
      expect((await get(`${path}${trap}`, null, method)).status).toBe(200)
    }
  }
  expect(await statusOf(reviewId)).toBe('open')
  expect(await setting.poll(executionId)).toMatchObject({ status: 'awaiting_approval' })
})

test('a link shows the review, and its button decides without signing in and without JavaScript', async () => {
  const { path, reviewId, executionId, token } = await linked({
    instructions:
      '# Check\n\n<script>alert(1)</script> ![x](https://evil.example/x.png) [y](javascript:alert(1))',
    show: [{ label: 'Order', value: '{{ trigger }}' }],
    fields: [{ name: 'amount', label: 'Amount <b>', type: 'number', required: true, value: 12 }],
  })
  const page = await get(path)
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

  const refused = await post(reviewId, {
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

  const sent = await post(reviewId, {
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

test('a link dies with its review: it tells the verdict, shows nothing and decides nothing', async () => {
  const { path, reviewId, token, executionId } = await linked({
    show: [{ label: 'Card', value: '4111 1111' }],
  })
  expect(String((await get(path)).body)).toContain('4111 1111')
  await setting.decide(reviewId, { decision: 'reject', comment: 'Secret reason' })
  await setting.output(executionId)
  const page = await get(path)
  expect(page.status).toBe(200)
  expect(String(page.body)).toContain('The review was rejected.')
  for (const secret of ['4111 1111', 'Refund A-1', 'Secret reason', '<form']) {
    expect(String(page.body)).not.toContain(secret)
  }
  const late = await post(reviewId, { token, decision: 'approve', name: 'Zoe' })
  expect(late.status).toBe(409)
  expect(await statusOf(reviewId)).toBe('rejected')
})

test('a name that came with a link is told as such, to members, over the API and in the run', async () => {
  const { reviewId, token, executionId } = await linked({}, [])
  await post(reviewId, { token, decision: 'reject', name: ' Ana\r\n\u0085Smith ' })
  const said = 'Ana Smith (by the link)'
  expect(String((await get(`/reviews/${reviewId}`, ben)).body)).toContain(`was rejected by ${said}.`)
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

test('a form that is sent without anything is an empty one', async () => {
  const { reviewId } = await linked()
  const empty = (id: string, headers: Record<string, string>) =>
    server.call(`POST /reviews/${id}`, { key: null, headers })
  expect((await empty(reviewId, {})).status).toBe(303)
  expect((await empty('anything', { cookie: ben.cookie, origin: ORIGIN })).status).toBe(404)
  const refused = await empty(reviewId, { cookie: ben.cookie, origin: ORIGIN })
  expect(refused.status).toBe(400)
  expect(String(refused.body)).toContain('Decision must be one of: approve, reject')
})

test('a wrong link, a link of another review and an unknown review are one answer', async () => {
  const one = await linked()
  const other = await linked()
  const answers = await Promise.all([
    get(`/reviews/${one.reviewId}?token=${other.token}`),
    get(`/reviews/${one.reviewId}?token=x`),
    get(`/reviews/${randomUUID()}?token=${one.token}`),
    get(`/reviews/nonsense?token=${one.token}`),
    post(one.reviewId, { token: other.token, decision: 'approve', name: 'Z' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(await statusOf(one.reviewId)).toBe('open')
})

test('without link and session one is sent to sign in, whether the review exists or not', async () => {
  const { reviewId } = await linked()
  for (const id of [reviewId, randomUUID()]) {
    expect(await get(`/reviews/${id}`)).toMatchObject({
      status: 303,
      headers: { location: `/sign-in?next=${encodeURIComponent(`/reviews/${id}`)}` },
    })
  }
  expect(await get('/reviews')).toMatchObject({
    status: 303,
    headers: { location: '/sign-in?next=%2Freviews' },
  })
  expect((await post(reviewId, { decision: 'approve', name: 'Z' })).status).toBe(303)
  expect(await statusOf(reviewId)).toBe('open')
})

test.for([
  ['certain roles', { reviewers: { kind: 'roles', roles: ['owner'] } }],
  ['whoever did not start the run', { allowSelfApproval: false }],
] as const)('a link to a review that asks %s shows nothing before one signs in', async ([, config]) => {
  const { path, reviewId, token } = await linked(config)
  const page = await get(path)
  expect(page.status).toBe(401)
  expect(String(page.body)).toContain('Please sign in')
  expect(String(page.body)).not.toContain('Refund A-1')
  expect((await post(reviewId, { token, decision: 'approve', name: 'Z' })).status).toBe(401)
  expect(await statusOf(reviewId)).toBe('open')
})

test('a review that asks a role lets others look, and only the role decide', async () => {
  const { reviewId, executionId, path } = await linked({ reviewers: { kind: 'roles', roles: ['owner'] } })
  const seen = await get(`/reviews/${reviewId}`, ben)
  expect(String(seen.body)).toContain('This review is assigned to people with the role owner.')
  expect(String(seen.body)).not.toContain('<form')
  expect((await post(reviewId, { decision: 'approve' }, ben)).status).toBe(403)
  expect(await setting.decide(reviewId, { decision: 'approve' })).toMatchObject({
    status: 403,
    body: { error: 'not_a_reviewer' },
  })
  expect((await get(path, ana)).status).toBe(200)
  expect((await post(reviewId, { decision: 'approve', comment: 'Yes' }, ana)).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({
    review: { comment: 'Yes', reviewedBy: { type: 'user', id: ana.userId, name: 'Ana' } },
  })
  const over = String((await get(`/reviews/${reviewId}`, ben)).body)
  expect(over).toContain('The review was approved by Ana.')
})

test('a review that asks people by name takes the word of nobody else', async () => {
  const { reviewId, executionId } = await linked({ reviewers: { kind: 'users', userIds: [ben.userId] } })
  expect((await post(reviewId, { decision: 'approve' }, ana)).status).toBe(403)
  expect((await post(reviewId, { decision: 'reject', comment: 'No' }, ben)).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({ review: { reviewedBy: { name: 'Ben' } } })
})

test('a page of another site cannot make a signed-in browser decide', async () => {
  const { reviewId } = await linked()
  for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
    expect((await post(reviewId, { decision: 'approve' }, ana, headers as never)).status).toBe(403)
  }
  expect(await statusOf(reviewId)).toBe('open')
})

test('a member of another organization sees neither the inbox nor the review', async () => {
  const { reviewId } = await linked()
  const eve = await person('Eve', 'owner', server.seed.otherOrganizationId)
  expect((await get(`/reviews/${reviewId}`, eve)).status).toBe(404)
  expect((await post(reviewId, { decision: 'approve' }, eve)).status).toBe(404)
  expect(
    String((await get(`/reviews?organizationId=${server.seed.organizationId}&status=all`, eve)).body),
  ).not.toContain('Refund')
})

test('a suspended member is out at once', async () => {
  const { reviewId } = await linked()
  const gone = await person('Gone', 'member')
  expect((await get(`/reviews/${reviewId}`, gone)).status).toBe(200)
  const { organizationId } = server.seed
  await server.context.database.transaction(({ write }) =>
    write.members.put({ organizationId, userId: gone.userId, role: 'member', status: 'suspended' }),
  )
  expect((await get(`/reviews/${reviewId}`, gone)).status).toBe(404)
})

test('the inbox lists what is open, by status and by workflow, and leads to each review', async () => {
  const { executionId, reviews } = await setting.ask(reviewGraph({ title: 'Inbox {{ trigger.order }}' }))
  const { reviewId, workflowId } = reviews[0] ?? {}
  const inbox = async (query = '') => String((await get(`/reviews${query}`, ana)).body)
  expect(await inbox()).toContain(`<a class="title" href="/reviews/${reviewId}">Inbox A-1</a>`)
  const narrowed = await inbox(`?workflowId=${workflowId}`)
  expect(narrowed.match(/class="title"/g)).toHaveLength(1)
  expect(await inbox(`?status=approved&workflowId=${workflowId}`)).toContain('There is nothing here.')
  await post(reviewId, { decision: 'approve' }, ana)
  await setting.output(executionId)
  expect(await inbox(`?workflowId=${workflowId}`)).toContain('No review is waiting for a decision.')
  expect(await inbox(`?status=approved&workflowId=${workflowId}`)).toContain('Inbox A-1')
  expect((await get('/reviews?status=nonsense&workflowId=x&page=-1&organizationId=7', ana)).status).toBe(200)
})

test('a quorum counts people once, goes on with the last values, and the first rejection rejects', async () => {
  const fields = [{ name: 'amount', label: 'Amount', type: 'number', value: 1 }]
  const config = { approvalsRequired: 2, fields }
  const { reviewId, executionId } = await linked(config)
  expect((await post(reviewId, { decision: 'approve', 'data.amount': '5' }, ana)).status).toBe(303)
  const again = await post(reviewId, { decision: 'approve', 'data.amount': '6' }, ana)
  expect(again.status).toBe(409)
  expect(String(again.body)).toContain('You have approved already. The review waits for 1 more.')
  expect((await server.call(`GET /api/v1/reviews/${reviewId}`)).body).toMatchObject({
    status: 'open',
    approvals: 1,
    approvalsRequired: 2,
    fields: [{ value: 5 }],
    decision: null,
  })
  expect(await setting.poll(executionId)).toMatchObject({ status: 'awaiting_approval' })
  const seen = String((await get(`/reviews/${reviewId}`, ana)).body)
  expect(seen).toContain('You have approved already. The review waits for 1 more.')
  expect(seen).not.toMatch(/>Approve<|name="data.amount"/)
  expect(seen).toContain('>Reject<')
  const other = String((await get(`/reviews/${reviewId}?said=approve`, ben)).body)
  expect(other).not.toContain('approved already')
  expect(other).toMatch(/>Approve</)
  expect(await setting.decide(reviewId, { decision: 'approve' })).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  })
  expect(await setting.output(executionId)).toMatchObject({ review: { data: { amount: 5 } } })

  const third = await linked({ ...config, approvalsRequired: 3 })
  expect((await post(third.reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  const own = await get(`/reviews/${third.reviewId}`, ana)
  expect(own.status).toBe(200)
  expect(String(own.body)).toContain('>Reject<')
  expect(String(own.body)).not.toContain('name="revision"')
  // The page shows no values, so it is not out of date when they change.
  const changing = { decision: 'approve', 'data.amount': '900' }
  expect((await post(third.reviewId, changing, ben)).status).toBe(303)
  expect((await post(third.reviewId, { decision: 'reject', comment: 'No' }, ana)).status).toBe(303)
  expect(await setting.output(third.executionId)).toMatchObject({ went: 'rejected' })

  const second = await linked(config)
  await post(second.reviewId, { decision: 'approve' }, ana)
  await post(second.reviewId, { decision: 'reject', comment: 'No' }, ben)
  expect(await setting.output(second.executionId)).toMatchObject({ went: 'rejected' })
})

test('a page whose values another approval has changed decides nothing, and is shown again with the current ones', async () => {
  const fields = [
    { name: 'amount', label: 'Amount', type: 'number', value: 12 },
    { name: 'note', label: 'Note', type: 'textarea', value: 'Two\r\nlines' },
  ]
  const { path, reviewId, executionId, token } = await linked({ approvalsRequired: 2, fields })
  const revisionIn = (body: unknown) => /name="revision" value="([^"]+)"/.exec(String(body))?.[1] ?? ''
  const revision = revisionIn((await get(path)).body)
  expect(revision).not.toBe('')
  expect((await post(reviewId, { decision: 'approve', 'data.amount': '900' }, ben)).status).toBe(303)

  const typed = {
    token,
    decision: 'approve',
    comment: 'Fine',
    'data.amount': '10',
    'data.note': 'Two\r\nlines',
  }
  // Without a name: what is shown again is still what was typed on the former values.
  const nameless = await post(reviewId, { ...typed, revision })
  expect(nameless.status).toBe(400)
  expect(revisionIn(nameless.body)).toBe(revision)
  const refused = await post(reviewId, { ...typed, name: 'Zoe', revision })
  expect(refused.status).toBe(409)
  const text = String(refused.body)
  // Who has only the link does not learn who decides.
  expect(text).toContain('The proposed values were changed since you read them.')
  expect(text).not.toContain('Ben')
  expect(text).toMatch(/Amount<\/a>: you sent “10”/)
  expect(text).not.toContain('Note</a>')
  expect(text).toMatch(/name="data.amount"[^>]* value="900"/)
  expect(text).toMatch(/value="Zoe"/)
  expect(text).toContain('Fine</textarea>')
  expect(await statusOf(reviewId)).toBe('open')

  const now = revisionIn(text)
  expect(now).not.toBe(revision)
  expect((await post(reviewId, { ...typed, name: 'Zoe', revision: now })).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({ review: { data: { amount: 10 } } })
})

test('a person who has approved meanwhile is shown no values when a rejection comes from a page that is out of date', async () => {
  const fields = [{ name: 'amount', label: 'Amount', type: 'number', value: 12 }]
  const { reviewId } = await linked({ approvalsRequired: 3, fields })
  const page = String((await get(`/reviews/${reviewId}`, ana)).body)
  const revision = /name="revision" value="([^"]+)"/.exec(page)?.[1] ?? ''
  expect((await post(reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  expect((await post(reviewId, { decision: 'approve', 'data.amount': '900' }, ben)).status).toBe(303)
  const refused = await post(reviewId, { decision: 'reject', revision, 'data.amount': '10' }, ana)
  expect(refused.status).toBe(409)
  const text = String(refused.body)
  expect(text).toContain('Your decision was not stored')
  expect(text).toContain('The proposed values were changed by Ben')
  expect(text).not.toMatch(/current values|you sent|Amount/)
  expect((await post(reviewId, { decision: 'reject' }, ana)).status).toBe(303)
  expect(await statusOf(reviewId)).toBe('rejected')
})

test('reviewers who touch nothing approve the values as they are proposed, with their line ends', async () => {
  const value = { address: 'Main Street 1\nSpringfield', note: 'Two\r\nlines\rand one', blank: '  ' }
  const fields = [
    { name: 'address', label: 'Address', type: 'text', value: value.address },
    { name: 'note', label: 'Note', type: 'textarea', value: value.note },
    { name: 'blank', label: 'Blank', type: 'text', value: value.blank },
  ]
  const { reviewId, executionId } = await linked({ approvalsRequired: 2, fields })
  const page = String((await get(`/reviews/${reviewId}`, ben)).body)
  const revision = /name="revision" value="([^"]+)"/.exec(page)?.[1] ?? ''
  expect(page).toMatch(/<textarea [^>]*name="data.address"/)
  // Inputs of one line have no line breaks, and browsers post CRLF for every one.
  const untouched = {
    ...{ decision: 'approve', revision, 'data.blank': value.blank },
    'data.address': 'Main Street 1\r\nSpringfield',
    'data.note': 'Two\r\nlines\r\nand one',
  }
  for (const who of [ana, ben]) expect((await post(reviewId, untouched, who)).status).toBe(303)
  expect(await setting.output(executionId)).toMatchObject({ review: { data: value } })
})

test('everybody with the same link has one vote of a quorum together', async () => {
  const { reviewId, token } = await linked({ approvalsRequired: 2 })
  await post(reviewId, { token, decision: 'approve', name: 'Zoe' })
  const other = await post(reviewId, { token, decision: 'approve', name: 'Somebody else' })
  expect(other.status).toBe(409)
  expect(String(other.body)).toContain('A visitor with the link has approved already.')
  expect((await post(reviewId, { token, decision: 'approve', name: 'Zoe' })).status).toBe(303)
  expect(await statusOf(reviewId)).toBe('open')
})

test('a person who is signed in has one voice of a quorum, by session and by link', async () => {
  const { reviewId, token, path } = await linked({ approvalsRequired: 2 })
  expect((await post(reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  expect(String((await get(path, ana)).body)).toContain('You have approved already.')
  await post(reviewId, { token, decision: 'approve', name: 'Not Ana', comment: 'Again' }, ana)
  expect((await server.call(`GET /api/v1/reviews/${reviewId}`)).body).toMatchObject({
    status: 'open',
    approvals: 1,
  })
})

test('who started a run may be kept from deciding, and keys too', async () => {
  const own = await linked({ allowSelfApproval: false })
  expect(await setting.decide(own.reviewId, { decision: 'approve' })).toMatchObject({
    status: 403,
    body: { error: 'not_a_reviewer', message: 'The person who started the run may not decide.' },
  })
  expect((await post(own.reviewId, { decision: 'approve' }, ana)).status).toBe(303)
  const people = await linked({ allowApiKeys: false })
  expect(await setting.decide(people.reviewId, { decision: 'approve' })).toMatchObject({
    status: 403,
    body: { error: 'not_a_reviewer' },
  })
  expect((await post(people.reviewId, { decision: 'approve' }, ben)).status).toBe(303)
})

test('guesses of links are limited, and do not stop a person who has the right link', async () => {
  const { path, reviewId } = await linked()
  const tries = await Promise.all(Array.from({ length: 125 }, () => get(`/reviews/${reviewId}?token=x`)))
  const refused = tries.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(5)
  expect(String(refused[0]?.body)).toContain('Too many requests')
  expect(refused[0]?.headers['retry-after']).toMatch(/^\d+$/)
  const other = await linked()
  expect((await get(other.path)).status).toBe(200)
  expect((await get(path)).status).toBe(429)
})

test('a reviewer sees the reviews that ask them, in the inbox and by their address, and no others', async () => {
  const rita = await person('Rita', 'reviewer')
  const asking = await setting.ask(
    reviewGraph({ title: 'For Rita', reviewers: { kind: 'users', userIds: [rita.userId] } }),
  )
  const others = await setting.ask(
    reviewGraph({ title: 'For owners', reviewers: { kind: 'roles', roles: ['owner'] } }),
  )
  const inbox = String((await get('/reviews', rita)).body)
  expect(inbox).toContain('For Rita')
  expect(inbox).not.toContain('For owners')
  expect(String((await get('/reviews', ana)).body)).toContain('For owners')
  const [own, foreign] = [asking.reviews[0]?.reviewId, others.reviews[0]?.reviewId]
  expect((await get(`/reviews/${own}`, rita)).status).toBe(200)
  expect((await get(`/reviews/${foreign}`, rita)).status).toBe(404)
  expect((await post(foreign, { decision: 'approve' }, rita)).status).toBe(404)
  expect((await post(own, { decision: 'approve' }, rita)).status).toBeLessThan(400)
})
