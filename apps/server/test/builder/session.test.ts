import { randomBytes } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import { ownOrigin, type SeededPerson, seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { unreachableVoice } from '@troupe/test-kit/unreachable-voice'
import { afterAll, beforeAll, expect, test } from 'vitest'

const SESSION = '/api/builder/v1/session'
const SIGN_INS = '/api/builder/v1/account/sign-ins'

let server: TestServer
/** Another process on the same database, with voice. */
let other: TestServer
beforeAll(async () => {
  const encryptionKey = randomBytes(32)
  server = await startTestServer({ encryptionKey })
  other = await startTestServer({
    encryptionKey,
    overrides: { database: server.context.database },
    env: unreachableVoice(),
  })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const newPerson = (name = 'Ana') =>
  seedPerson(server.context.database, { organizationId: server.seed.organizationId, role: 'admin', name })

const signIn = (
  { email }: SeededPerson,
  password: string,
  { at = server, headers = {} }: { at?: TestServer; headers?: Record<string, string> } = {},
) =>
  at.call(`POST ${SESSION}`, {
    key: null,
    headers: { origin: ownOrigin(at), ...headers },
    body: { email, password },
  })

const cookieOf = ({ headers }: { headers: object }): string =>
  [propertyOf(headers, 'set-cookie')]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')

const whoIs = (cookie: string, at = server) => at.call(`GET ${SESSION}`, { key: null, headers: { cookie } })

test('signing in returns the user and their organizations, and sets a cookie out of reach of scripts and other sites', async () => {
  const person = await newPerson()
  const answer = await signIn(person, person.password)
  expect(answer.status).toBe(200)
  const organization = await server.context.database.read.organizations.byId(server.seed.organizationId)
  expect(answer.body).toMatchObject({
    person: { userId: person.userId, name: 'Ana', email: person.email },
    organizations: [{ slug: organization?.slug, role: 'admin' }],
  })
  const [cookie] = [propertyOf(answer.headers, 'set-cookie')].flat()
  expect(cookie).toMatch(/; HttpOnly/i)
  expect(cookie).toMatch(/; SameSite=Lax/i)
  expect(cookie).toMatch(/; Path=\//i)
  expect(cookie).not.toMatch(/Domain=/i)
  expect((await whoIs(cookieOf(answer))).body).toEqual(answer.body)
})

test('the session has whether the server serves voice, and whether users can talk to agents', async () => {
  const person = await newPerson()
  const answer = await signIn(person, person.password)
  expect(propertyOf(answer.body, 'server')).toMatchObject({
    voice: false,
    voiceTry: false,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    // Without a build of the pages the header is missing, and the build null.
    build: propertyOf(answer.headers, 'x-troupe-build') ?? null,
  })
  const there = propertyOf((await signIn(person, person.password, { at: other })).body, 'server')
  expect(there).toMatchObject({ voice: true, voiceTry: true })
})

test('a wrong password and an unknown address get the same response, without a cookie', async () => {
  const person = await newPerson()
  const wrong = await signIn(person, 'not the password')
  const unknown = await signIn({ ...person, email: 'nobody@acme.test' }, 'not the password')
  expect([wrong.status, propertyOf(wrong.body, 'error')]).toEqual([401, 'wrong_credentials'])
  expect(unknown.body).toEqual(wrong.body)
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('every invalid field of a sign-in is named', async () => {
  const answer = await server.call(`POST ${SESSION}`, {
    key: null,
    headers: { origin: ownOrigin(server) },
    body: { email: '' },
  })
  expect(answer.status).toBe(400)
  expect(propertyOf(answer.body, 'errors')).toMatchObject([{ path: 'password' }, { path: 'email' }])
})

test('guesses are limited, and the response has the time of the next attempt', async () => {
  const person = await newPerson()
  for (let guess = 0; guess < 10; guess++) expect((await signIn(person, `guess ${guess}`)).status).toBe(401)
  const refused = await signIn(person, person.password)
  expect([refused.status, propertyOf(refused.body, 'error')]).toEqual([429, 'rate_limit_exceeded'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const colleague = await newPerson()
  expect((await signIn(colleague, colleague.password)).status).toBe(200)
})

test('signing out ends the session in every process, and signing in again ends the previous one', async () => {
  const person = await newPerson()
  const first = cookieOf(await signIn(person, person.password))
  expect((await whoIs(first, other)).status).toBe(200)
  const second = cookieOf(await signIn(person, person.password, { headers: { cookie: first } }))
  expect((await whoIs(first, other)).status).toBe(401)
  const headers = { cookie: second, origin: ownOrigin(server) }
  expect((await server.call(`DELETE ${SESSION}`, { key: null, headers })).status).toBe(204)
  expect((await whoIs(second, other)).status).toBe(401)
  expect((await whoIs(second)).status).toBe(401)
})

test('a user lists their sessions, and can end them', async () => {
  const person = await newPerson()
  const phone = cookieOf(await signIn(person, person.password, { headers: { 'user-agent': 'Phone/1.0' } }))
  const desk = cookieOf(await signIn(person, person.password, { headers: { 'user-agent': 'Desk/1.0' } }))
  const headers = { cookie: desk, origin: ownOrigin(server) }
  const list = async () =>
    (await server.call(`GET ${SIGN_INS}`, { key: null, headers })).body as {
      data: { signInId: string; userAgent: string; isCurrent: boolean }[]
    }
  const { data } = await list()
  expect(data).toMatchObject([
    { userAgent: 'Desk/1.0', isCurrent: true, ip: '127.0.0.1' },
    { userAgent: 'Phone/1.0', isCurrent: false },
  ])
  const ended = await other.call(`DELETE ${SIGN_INS}/${data[1]?.signInId}`, { key: null, headers })
  expect(ended.status).toBe(204)
  expect((await whoIs(phone)).status).toBe(401)
  expect((await list()).data).toHaveLength(1)
})

test('another user’s session is 404, exactly like an unknown one', async () => {
  const [person, stranger] = [await newPerson(), await newPerson('Ben')]
  const theirs = cookieOf(await signIn(stranger, stranger.password))
  const listed = await server.call(`GET ${SIGN_INS}`, { key: null, headers: { cookie: theirs } })
  const [place] = (listed.body as { data: { signInId: string }[] }).data
  const headers = { cookie: cookieOf(await signIn(person, person.password)), origin: ownOrigin(server) }
  const answer = await server.call(`DELETE ${SIGN_INS}/${place?.signInId}`, { key: null, headers })
  const unknown = await server.call(`DELETE ${SIGN_INS}/no-such-sign-in`, { key: null, headers })
  expect([answer.status, propertyOf(answer.body, 'error')]).toEqual([404, 'sign_in_not_found'])
  expect(unknown.body).toEqual(answer.body)
  expect((await whoIs(theirs)).status).toBe(200)
})

const ACCOUNT = '/api/builder/v1/account'

const errorsOf = (answer: { status: number; body: unknown }) => [
  answer.status,
  propertyOf(answer.body, 'errors'),
]

test('a user changes their name, on one line, and a blank or long one is refused by its field', async () => {
  const person = await newPerson()
  const cookie = cookieOf(await signIn(person, person.password))
  const rename = (body: object) =>
    server.call(`PUT ${ACCOUNT}/name`, {
      key: null,
      headers: { cookie, origin: ownOrigin(server) },
      body,
    })
  const changed = await rename({ name: '  Ana\n Lima ' })
  expect([changed.status, changed.body]).toEqual([200, { name: 'Ana Lima' }])
  expect((await whoIs(cookie, other)).body).toMatchObject({ person: { name: 'Ana Lima' } })
  const refused = [400, [{ path: 'name', message: 'must have 1 to 128 characters' }]]
  expect(errorsOf(await rename({ name: ' \n ' }))).toEqual(refused)
  expect(errorsOf(await rename({ name: 'x'.repeat(129) }))).toMatchObject([400, [{ path: 'name' }]])
  expect(errorsOf(await rename({}))).toMatchObject([400, [{ path: 'name' }]])
  expect((await whoIs(cookie)).body).toMatchObject({ person: { name: 'Ana Lima' } })
})

test('a user changes the password with the current one: other sessions end, and this one continues with a new cookie', async () => {
  const person = await newPerson()
  const there = cookieOf(await signIn(person, person.password))
  const here = cookieOf(await signIn(person, person.password))
  const change = (current: string, next: string) =>
    server.call(`PUT ${ACCOUNT}/password`, {
      key: null,
      headers: { cookie: here, origin: ownOrigin(server) },
      body: { current, next },
    })
  expect(errorsOf(await change('not the password', 'a fine new password'))).toEqual([
    400,
    [{ path: 'current', message: 'This is not your current password.' }],
  ])
  expect(errorsOf(await change(person.password, 'short'))).toEqual([
    400,
    [{ path: 'next', message: 'The password must have 8 to 128 characters.' }],
  ])
  expect((await whoIs(there)).status).toBe(200)
  const changed = await change(person.password, 'a fine new password')
  expect(changed.status).toBe(204)
  const [old, elsewhere, now] = [await whoIs(here), await whoIs(there, other), await whoIs(cookieOf(changed))]
  expect([old.status, elsewhere.status, now.status]).toEqual([401, 401, 200])
  expect((await signIn(person, person.password)).status).toBe(401)
  expect((await signIn(person, 'a fine new password')).status).toBe(200)
})

test('guesses of the current password are limited', async () => {
  const person = await newPerson()
  const cookie = cookieOf(await signIn(person, person.password))
  const statuses = new Set<number>()
  for (let guess = 0; guess < 12; guess++) {
    const answer = await server.call(`PUT ${ACCOUNT}/password`, {
      key: null,
      headers: { cookie, origin: ownOrigin(server) },
      body: { current: `guess ${guess}`, next: 'a fine new password' },
    })
    statuses.add(answer.status)
  }
  expect([...statuses]).toEqual([400, 429])
})

test('the list of sessions names the browser', async () => {
  const person = await newPerson()
  const agent =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
  const cookie = cookieOf(await signIn(person, person.password, { headers: { 'user-agent': agent } }))
  const listed = await server.call(`GET ${SIGN_INS}`, { key: null, headers: { cookie } })
  expect(listed.body).toMatchObject({ data: [{ browser: 'Chrome on macOS' }] })
})
