import { randomUUID } from 'node:crypto'
import { inviteMember } from '@troupe/operations/members/invite-member'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const get = (url: string, cookie?: string) =>
  server.app.inject({ method: 'GET', url, headers: cookie ? { cookie } : {} })
const post = (url: string, fields: Record<string, string> = {}, cookie?: string) =>
  server.app.inject({
    method: 'POST',
    url,
    headers: {
      origin: ownOrigin(server),
      'content-type': 'application/x-www-form-urlencoded',
      ...(cookie ? { cookie } : {}),
    },
    payload: new URLSearchParams(fields).toString(),
  })
const person = () => seedPerson(server.context.database, { organizationId: server.seed.organizationId })
const cookieOf = (answer: Awaited<ReturnType<typeof post>>) =>
  [answer.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0])[0] ?? ''

/** Path of an invitation's page. */
async function invite(email = `${randomUUID()}@acme.test`, ageMs = 0): Promise<string> {
  const { context, seed } = server
  const { database, mailer, newId } = context
  const parts = {
    database,
    mailer,
    newId,
    publicUrl: 'https://troupe.test',
    now: () => context.clock.now() - ageMs,
  }
  const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
  const { link } = await inviteMember(parts, seed.organizationId, operator, { email, role: 'admin' })
  return new URL(link ?? '').pathname
}

test('signing in redirects to the page that required it, and the account page shows the user', async () => {
  const { email, password } = await person()
  const asked = await get('/account')
  expect([asked.statusCode, asked.headers.location]).toEqual([303, '/sign-in?next=%2Faccount'])
  const page = await get('/sign-in?next=%2Freviews%3Fstatus%3Dopen')
  expect(page.body).toContain('<input type="hidden" name="next" value="/reviews?status=open">')
  const answer = await post('/sign-in', { email, password, next: '/reviews?status=open' })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/reviews?status=open'])
  const account = await get('/account', cookieOf(answer))
  expect(account.body).toContain(email)
  expect(account.body).toContain('<td>member</td>')
})

test('the account page links to the builder and to the inbox of each organization with access, otherwise to neither', async () => {
  const { context, seed } = server
  const { organizationId } = seed
  const slug = (await context.database.read.organizations.byId(organizationId))?.slug
  const { userId, email, password } = await person()
  const { body } = await get('/account', cookieOf(await post('/sign-in', { email, password })))
  expect(body).toContain('<a href="/">Back to the builder</a>')
  expect(body).toContain(`href="/o/${slug}/reviews"`)
  expect(body).toMatch(/<noscript>.*href="\/reviews\?status=open"/)
  await context.database.transaction(({ write }) =>
    write.members.put({ organizationId, userId, role: 'member', status: 'suspended' }),
  )
  const alone = await get('/account', cookieOf(await post('/sign-in', { email, password })))
  expect(alone.body).not.toContain('Back to the builder')
})

test('a sign-in never redirects to another server', async () => {
  const { email, password } = await person()
  for (const next of ['https://evil.test/', '//evil.test', '/\\evil.test', '/x/..//evil.test']) {
    expect((await get(`/sign-in?next=${encodeURIComponent(next)}`)).body).not.toContain('evil.test')
    expect((await post('/sign-in', { email, password, next })).headers.location).toBe('/')
  }
})

test('a wrong password and an unknown address get the same page', async () => {
  const { email } = await person()
  const wrong = await post('/sign-in', { email, password: 'a wrong password' })
  const unknown = await post('/sign-in', { email: 'nobody@acme.test', password: 'a wrong password' })
  expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
  expect(wrong.body.replaceAll(email, '…')).toBe(unknown.body.replaceAll('nobody@acme.test', '…'))
  expect(wrong.body).toContain('role="alert"')
  expect(wrong.body).not.toContain('a wrong password')
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('too many wrong passwords are a page with 429 and Retry-After', async () => {
  const { email, password } = await person()
  for (let n = 0; n < 10; n += 1) await post('/sign-in', { email, password: `wrong ${n}` })
  const refused = await post('/sign-in', { email, password })
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600)
})

test('submitted form values are rendered as escaped text only', async () => {
  const { email } = await person()
  expect((await post('/sign-in')).statusCode).toBe(401)
  expect((await post('/sign-in', { email: `"><script>${email}`, password: 'x' })).body).not.toContain(
    '<script>',
  )
  const origin = ownOrigin(server)
  const twice = await server.app.inject({
    method: 'POST',
    url: '/sign-in',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=a@acme.test&email=b@acme.test&password=x&password=y&__proto__=z',
  })
  expect(twice.statusCode).toBe(401)
  const json = await server.app.inject({ method: 'POST', url: '/sign-in', headers: { origin }, payload: {} })
  expect(json.statusCode).toBe(415)
  const nothing = await server.app.inject({ method: 'POST', url: '/sign-in', headers: { origin } })
  expect(nothing.statusCode).toBe(401)
})

test('signing out ends the session, and the page confirms it', async () => {
  const cookie = await signIn(server, await person())
  const answer = await post('/sign-out', {}, cookie)
  expect(answer.headers['clear-site-data']).toBe('"storage"')
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/sign-in?signed=out'])
  expect((await get('/sign-in?signed=out')).body).toContain('You are signed out.')
  expect((await get('/account', cookie)).statusCode).toBe(303)
  expect((await post('/sign-out', {}, cookie)).statusCode).toBe(303)
})

test('a signed-in user is not asked to sign in again', async () => {
  const cookie = await signIn(server, await person())
  const answer = await get('/sign-in?next=%2Freviews', cookie)
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/reviews'])
})

test('the account lists every signed-in browser, and signs another one out', async () => {
  const someone = await person()
  const [here, there] = [await signIn(server, someone), await signIn(server, someone)]
  const page = (await get('/account', here)).body
  expect(page.match(/This browser/g)).toHaveLength(1)
  const [path = ''] = page.match(/\/account\/sign-ins\/[^"]+/) ?? []
  // For another user's session the response is the same, and nothing ends.
  const stranger = await signIn(server, await person())
  expect((await post(path, {}, stranger)).statusCode).toBe(303)
  expect((await get('/account', there)).statusCode).toBe(200)
  const answer = await post(path, {}, here)
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe('/account?sign-in=ended')
  expect((await get('/account?sign-in=ended', here)).body).toContain('That browser is signed out.')
  expect((await get('/account', there)).statusCode).toBe(303)
  expect((await post(path, {}, here)).statusCode).toBe(303)
})

test('a changed name is shown everywhere from the next request, and an invalid one is returned with its error', async () => {
  const cookie = await signIn(server, await person())
  const change = (name: string) => post('/account/name', { name }, cookie)
  const empty = await change('  ')
  expect([empty.statusCode, empty.body.includes('href="#name"')]).toEqual([400, true])
  const long = await change('x'.repeat(129))
  expect([long.statusCode, long.body.includes(`value="${'x'.repeat(129)}"`)]).toEqual([400, true])
  const changed = await change(' Ana <b>\n Lima ')
  expect([changed.statusCode, changed.headers.location]).toEqual([303, '/account?name=changed'])
  const account = (await get('/account?name=changed', cookie)).body
  expect(account).toContain('Your name was changed.')
  expect(account).toContain('<h1>Ana &lt;b&gt; Lima</h1>')
})

test('the password is changed with the current one, and the new cookie continues the session', async () => {
  const someone = await person()
  const cookie = await signIn(server, someone)
  const change = (current: string, next: string) => post('/account', { current, next }, cookie)
  const short = await change(someone.password, 'short')
  expect([short.statusCode, short.body.includes('href="#next"')]).toEqual([400, true])
  const wrong = await change('a wrong password', 'a fine new password')
  expect([wrong.statusCode, wrong.body.includes('This is not your current password.')]).toEqual([400, true])
  const changed = await change(someone.password, 'a fine new password')
  expect([changed.statusCode, changed.headers.location]).toEqual([303, '/account?password=changed'])
  expect((await get('/account', cookie)).statusCode).toBe(303)
  expect((await get('/account?password=changed', cookieOf(changed))).body).toContain(
    'Your password was changed.',
  )
  await signIn(server, { ...someone, password: 'a fine new password' })
})

test('an invitation creates an account with a name and a password, and signs its owner in', async () => {
  const email = `${randomUUID()}@acme.test`
  const path = await invite(email)
  const page = await get(path)
  expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(page.body).toContain(`value="${email}" readonly`)
  const faulty = await post(path, { name: ' ', password: 'short' })
  expect(faulty.statusCode).toBe(400)
  expect(faulty.body).toContain('href="#name"')
  expect(faulty.body).toContain('href="#password"')
  // The address is always the invited one, never the form's.
  const joined = await post(path, { name: 'Eva', password: 'a fine password', email: 'admin@evil.test' })
  expect([joined.statusCode, joined.headers.location]).toEqual([303, '/'])
  const account = await get('/account', cookieOf(joined))
  expect(account.body).toContain(email)
  expect(account.body).toContain('<td>admin</td>')
  expect((await get(path)).statusCode).toBe(404)
  expect((await post(path, { name: 'Eve', password: 'another password' })).statusCode).toBe(404)
})

test('an expired invitation tells the holder of its link its end and the organization to ask, and creates no account', async () => {
  const email = `${randomUUID()}@acme.test`
  const path = await invite(email, 8 * 86_400_000)
  const { organizationId } = server.seed
  const name = (await server.context.database.read.organizations.byId(organizationId))?.name
  for (const answer of [await get(path), await post(path, { name: 'Eva', password: 'a fine password' })]) {
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('<h1>This invitation has expired</h1>')
    expect(answer.body).toMatch(/It was valid until <time datetime="\d{4}-/)
    expect(answer.body).toContain(`Ask an owner or admin of ${name} for a new invitation.`)
    expect(answer.body).not.toContain(email)
  }
  expect(await server.context.database.read.users.byEmail(email)).toBeNull()
})

test('viewing an invitation never accepts it', async () => {
  const path = await invite()
  for (const method of ['GET', 'HEAD'] as const) await server.app.inject({ method, url: path })
  expect((await get(path)).statusCode).toBe(200)
})

test('an invitation for an existing account requires a sign-in, and redirects back', async () => {
  const { database } = server.context
  const someone = await seedPerson(database, { organizationId: server.seed.otherOrganizationId })
  const path = await invite(someone.email)
  const page = await get(path)
  expect(page.body).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`)
  expect((await post(path, { name: 'X', password: 'a fine password' })).statusCode).toBe(303)
  const other = await signIn(server, await person())
  expect((await get(path, other)).body).toContain('but the invitation is for')
  expect((await post(path, {}, other)).statusCode).toBe(403)
  const own = await signIn(server, someone)
  const joined = await post(path, {}, own)
  expect([joined.statusCode, joined.headers.location]).toEqual([303, '/'])
  expect(await database.read.members.activeOf(someone.userId)).toHaveLength(2)
})

test.each([
  'x',
  'A'.repeat(43),
  '%00',
  '..%2f..',
  '%E0%A4%A',
  'x'.repeat(5_000),
])('the link with %j is a page with a next step', async (token) => {
  const answer = await get(`/invitations/${token}`)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(answer.body).toContain('<h1>This invitation cannot be used</h1>')
  expect(answer.body).toContain('Please ask for a new one.')
})

test('account pages have no script, and their forms send the origin', async () => {
  const cookie = await signIn(server, await person())
  for (const answer of [await get('/sign-in'), await get('/account', cookie), await get(await invite())]) {
    expect(answer.body).not.toContain('<script')
    expect(answer.body).not.toContain(' style=')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['referrer-policy']).toBe('same-origin')
  }
})
