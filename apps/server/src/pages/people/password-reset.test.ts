import { randomUUID } from 'node:crypto'
import { checkedId, UserId } from '@troupe/contract'
import type { Mail } from '@troupe/mail'
import { acceptInvitation } from '@troupe/operations/members/accept-invitation'
import { inviteMember } from '@troupe/operations/members/invite-member'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const mails: Mail[] = []
let ip = 0
let server: TestServer
let mute: TestServer
beforeAll(async () => {
  const mailer = { sends: true, send: async (mail: Mail) => void mails.push(mail) }
  server = await startTestServer({ overrides: { mailer } })
  mute = await startTestServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mute[Symbol.asyncDispose]()
})

const get = (url: string, at = server) => at.app.inject({ method: 'GET', url })
/** Each post comes from a new IP address, unless the test is about addresses. */
function post(url: string, fields: Record<string, string>, at = server) {
  ip += 1
  return at.app.inject({
    method: 'POST',
    url,
    remoteAddress: `198.51.${Math.floor(ip / 250)}.${ip % 250}`,
    headers: { origin: ownOrigin(at), 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}
const person = () => seedPerson(server.context.database, { organizationId: server.seed.organizationId })
const mailsTo = (email: string) => mails.filter(({ to }) => to === email.toLowerCase())
const pathIn = (text: string) => /\/reset-password\/[\w-]{43}/.exec(text)?.[0] ?? ''

/** Requests a link and waits for its mail. */
async function requestLink(email: string): Promise<string> {
  const before = mailsTo(email).length
  expect((await post('/reset-password', { email })).statusCode).toBe(303)
  await expect.poll(() => mailsTo(email).length).toBe(before + 1)
  return pathIn(mailsTo(email).at(-1)?.text ?? '')
}

async function operatorLink(email: unknown, at = server) {
  const headers = { authorization: `Bearer ${at.adminToken}` }
  const answer = await at.call('POST /api/builder/password-reset-links', {
    key: null,
    headers,
    body: { email },
  })
  return { ...answer, path: pathIn((answer.body as { link?: string }).link ?? '') }
}

test('a user who forgot the password gets a link by mail, chooses a new one, and is signed out everywhere', async () => {
  const { email, password } = await person()
  const session = await signIn(server, { email, password })
  expect((await get('/sign-in')).body).toContain('href="/reset-password"')
  const path = await requestLink(email.toUpperCase())
  const page = await get(path)
  expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(page.body).toContain(`value="${email}" readonly`)
  const short = await post(path, { password: 'short' })
  expect([short.statusCode, short.body.includes('href="#password"')]).toEqual([400, true])
  // The account is always the link's, never the form's.
  const answer = await post(path, { password: 'a much newer password', email: 'admin@evil.test' })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/sign-in?password=reset'])
  expect((await get('/sign-in?password=reset')).body).toContain('Your password was changed.')
  const account = { method: 'GET', url: '/account', headers: { cookie: session } } as const
  expect((await server.app.inject(account)).statusCode).toBe(303)
  await expect(signIn(server, { email, password })).rejects.toThrow('401')
  await signIn(server, { email, password: 'a much newer password' })
  expect((await get(path)).statusCode).toBe(404)
  expect((await post(path, { password: 'yet another password' })).statusCode).toBe(404)
})

test('an unknown address gets the same answer and no mail', async () => {
  const { email } = await person()
  const unknown = `${randomUUID()}@acme.test`
  const answers = [
    await post('/reset-password', { email }),
    await post('/reset-password', { email: unknown }),
  ]
  expect(answers.map(({ statusCode, headers, body }) => [statusCode, headers.location, body])).toEqual([
    [303, '/reset-password?link=sent', ''],
    [303, '/reset-password?link=sent', ''],
  ])
  await expect.poll(() => mailsTo(email)).toHaveLength(1)
  expect(mailsTo(unknown)).toEqual([])
  const sent = await get('/reset-password?link=sent')
  expect(sent.body).toContain('If the address has an account')
})

test('only the newest link works, for an hour, and not after another change of the password', async () => {
  const { email, userId } = await person()
  const first = await requestLink(email)
  const second = await requestLink(email)
  expect([(await get(first)).statusCode, (await get(second)).statusCode]).toEqual([404, 200])
  const { database, passwords } = server.context
  const hash = await passwords.hash('changed elsewhere')
  await database.transaction(({ write }) => write.users.setPassword(userId, hash))
  expect((await post(second, { password: 'a fine new password' })).statusCode).toBe(404)
  const late = (await operatorLink(email)).path
  const where = { field: 'id', operator: 'eq', value: userId, connector: 'AND' } as const
  await database.signIn.update('verification', [where], { expiresAt: new Date(Date.now() - 1) })
  const expired = await post(late, { password: 'a fine new password' })
  expect(expired.statusCode).toBe(404)
  expect(expired.body).toContain('<h1>This link has expired</h1>')
  expect(expired.body).toContain('It was valid until <time ')
  expect((await get(first)).body).toContain('<h1>This link cannot be used</h1>')
})

test('of ten concurrent uses of a link one wins', async () => {
  const { email } = await person()
  const path = await requestLink(email)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => post(path, { password: `a new password ${at}` })),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 9 }, () => 404)])
  await signIn(server, { email, password: `a new password ${statuses.indexOf(303)}` })
})

test('requests are limited by address and account with a page, whether the account exists or not', async () => {
  const ask = (email: string) =>
    server.app.inject({
      method: 'POST',
      url: '/reset-password',
      remoteAddress: '203.0.113.7',
      headers: { origin: ownOrigin(server), 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email }).toString(),
    })
  for (const email of [(await person()).email, 'nobody@acme.test']) {
    for (let at = 0; at < 3; at += 1) expect((await ask(email)).statusCode).toBe(303)
    const refused = await ask(email)
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600)
  }
})

test('reads of links are limited by address', async () => {
  const read = (at: number) =>
    server.app.inject({
      method: 'GET',
      url: `/${at % 2 ? 'invitations' : 'reset-password'}/${'A'.repeat(43)}`,
      remoteAddress: '203.0.113.8',
    })
  const statuses = []
  for (let at = 0; at < 125; at += 1) statuses.push((await read(at)).statusCode)
  expect(statuses.slice(0, 120).every((status) => status === 404)).toBe(true)
  expect(statuses.slice(120).every((status) => status === 429)).toBe(true)
})

describe('without a mail server', () => {
  test('the page names who can help, and a request does nothing', async () => {
    const page = await get('/reset-password', mute)
    expect(page.body).toContain('troupe reset-link')
    expect(page.body).not.toContain('<form')
    const asked = await post('/reset-password', { email: 'ana@acme.test' }, mute)
    expect([asked.statusCode, asked.headers.location]).toEqual([303, '/reset-password'])
  })

  test('the operator creates a link to pass on', async () => {
    const { email } = await seedPerson(mute.context.database, {
      organizationId: mute.seed.organizationId,
    })
    const { status, body, path } = await operatorLink(email, mute)
    expect([status, body]).toEqual([
      201,
      { link: expect.stringContaining(path), expiresAt: expect.stringMatching(/Z$/) },
    ])
    expect((await post(path, { password: 'a fine new password' }, mute)).statusCode).toBe(303)
    await signIn(mute, { email, password: 'a fine new password' })
  })

  test('the operator gets the reason of a refusal, and only the operator creates links', async () => {
    expect(await operatorLink('nobody@acme.test')).toMatchObject({
      status: 404,
      body: { error: 'account_not_found' },
    })
    expect(await operatorLink('nonsense')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'email' }] },
    })
    const path = 'POST /api/builder/password-reset-links'
    const body = { email: 'ana@acme.test' }
    expect((await server.call(path, { key: null, body })).status).toBe(401)
    expect((await server.call(path, { key: server.seed.keys.organization, body })).status).toBe(401)
  })
})

describe('an account that another person created for an address', () => {
  /** Joins with a link that was passed on manually. */
  async function squat(email: string): Promise<{ userId: UserId; cookie: string }> {
    const { context, seed } = server
    const { database, newId } = context
    const parts = { database, newId, publicUrl: 'https://troupe.test', now: () => Date.now() }
    const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
    const handed = { sends: false, send: async () => {} }
    const invited = await inviteMember({ ...parts, mailer: handed }, seed.otherOrganizationId, operator, {
      email,
      role: 'member',
    })
    const token = (invited.link ?? '').split('/').at(-1) ?? ''
    const passwordHash = await context.passwords.hash('of the squatter')
    const made = { kind: 'new', name: 'Squatter', passwordHash } as const
    const { userId } = await acceptInvitation(parts, token, made, { ip: null, requestId: null })
    return {
      userId: checkedId(UserId, userId),
      cookie: await signIn(server, { email, password: 'of the squatter' }),
    }
  }

  /** Mails an invitation and returns its path. */
  async function invite(email: string): Promise<string> {
    const { database, mailer, newId } = server.context
    const parts = { database, mailer, newId, publicUrl: 'https://troupe.test', now: () => Date.now() }
    const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
    await inviteMember(parts, server.seed.organizationId, operator, { email, role: 'member' })
    return /\/invitations\/[\w-]{43}/.exec(mailsTo(email).at(-1)?.text ?? '')?.[0] ?? ''
  }
  const isSignedIn = async (cookie: string) =>
    (await server.app.inject({ method: 'GET', url: '/account', headers: { cookie } })).statusCode === 200

  test('is taken over by the owner of the mailbox with a mailed invitation', async () => {
    const email = `${randomUUID()}@acme.test`
    const { userId, cookie } = await squat(email)
    expect(await isSignedIn(cookie)).toBe(true)
    const path = await invite(email)
    const page = await get(path)
    expect(page.body).toContain('nobody has confirmed the address yet')
    expect(page.body).toContain('Take over account and join')
    const joined = await post(path, { name: 'Eva', password: 'a password of Eva' })
    expect([joined.statusCode, joined.headers.location]).toEqual([303, '/'])
    expect(await isSignedIn(cookie)).toBe(false)
    await expect(signIn(server, { email, password: 'of the squatter' })).rejects.toThrow('401')
    await signIn(server, { email, password: 'a password of Eva' })
    const user = await server.context.database.read.users.byEmail(email)
    expect(user).toMatchObject({ id: userId, name: 'Eva', emailVerified: true })
    expect(await server.context.database.read.members.activeOf(userId)).toHaveLength(2)
    // The account is confirmed from here on, and no later invitation takes it over.
    const { database } = server.context
    await database.transaction(({ write }) => write.members.delete(server.seed.organizationId, userId))
    expect((await get(await invite(email))).body).toContain('has an account here. Sign in with it to join.')
  })

  test('is taken over with a mailed reset', async () => {
    const email = `${randomUUID()}@acme.test`
    const { cookie } = await squat(email)
    const path = await requestLink(email)
    expect((await post(path, { password: 'a password of Eva' })).statusCode).toBe(303)
    expect(await isSignedIn(cookie)).toBe(false)
    await expect(signIn(server, { email, password: 'of the squatter' })).rejects.toThrow('401')
    await signIn(server, { email, password: 'a password of Eva' })
    expect(await server.context.database.read.users.byEmail(email)).toMatchObject({ emailVerified: true })
  })

  test('stays unconfirmed if the operator passes a link on, because that proves no mailbox', async () => {
    const email = `${randomUUID()}@acme.test`
    await squat(email)
    const { path } = await operatorLink(email)
    expect((await post(path, { password: 'a password of Eva' })).statusCode).toBe(303)
    expect(await server.context.database.read.users.byEmail(email)).toMatchObject({ emailVerified: false })
  })

  test('is not taken over with another link that was passed on by hand', async () => {
    const email = `${randomUUID()}@acme.test`
    await squat(email)
    const { database, newId } = server.context
    const parts = { database, newId, publicUrl: 'https://troupe.test', now: () => Date.now() }
    const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
    const mailer = { sends: false, send: async () => {} }
    const invited = await inviteMember({ ...parts, mailer }, server.seed.organizationId, operator, {
      email,
      role: 'member',
    })
    const path = new URL(invited.link ?? '').pathname
    expect((await get(path)).body).toContain('has an account here. Sign in with it to join.')
    expect((await post(path, { name: 'X', password: 'a password of X' })).headers.location).toMatch(
      /^\/sign-in/,
    )
  })
})
