import { randomUUID } from 'node:crypto'
import { newId, OrganizationId, UserId } from '@troupe/contract'
import { createHeavyWork } from '@troupe/heavy-work'
import { createMemoryLimiter } from '@troupe/rate-limits'
import { createPasswords, type Passwords } from '@troupe/secrets'
import type { Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPeople } from './create-people.ts'
import { deleteExpiredSessions } from './expired-sessions.ts'
import type { SetCookies } from './sign-ins.ts'

const PASSWORD = 'a fine password'
const passwords = createPasswords(createHeavyWork(), { cost: 4 })
const organizationId = newId(OrganizationId)

let database: Database
beforeAll(async () => {
  database = await openReusedDatabase()
  await database.transaction(({ write }) =>
    write.organizations.put({ id: organizationId, slug: 'acme', name: 'Acme', rpm: 10, concurrentRuns: 10 }),
  )
})
afterAll(() => database[Symbol.asyncDispose]())

/** One process of the server; several share the database and the secret. */
function open(
  publicUrl = 'https://troupe.test',
  secret = 'one secret of several processes, long enough',
  checks: Passwords = passwords,
) {
  return createPeople({
    database,
    rateLimiter: createMemoryLimiter(),
    passwords: checks,
    publicUrl,
    hasPublicUrl: true,
    proxies: { isBehindProxy: false },
    secret,
    newId: newId,
    log: pino({ level: 'silent' }),
  })
}

/** A person with an active membership. */
async function person(email = `${randomUUID()}@acme.test`): Promise<{ userId: UserId; email: string }> {
  const userId = newId(UserId)
  const passwordHash = await passwords.hash(PASSWORD)
  await database.transaction(async ({ write }) => {
    await write.users.insert({ id: userId, name: 'Ana', email, emailVerified: true, passwordHash })
    await write.members.put({ organizationId, userId, role: 'member', status: 'active' })
  })
  return { userId, email }
}

const from = (cookies: SetCookies | null = null, ip = '192.0.2.1') => ({
  ip,
  headers: { 'user-agent': 'test', ...(cookies ? { cookie: sent(cookies) } : {}) },
})
/** The cookies that a browser sends back. */
const sent = (cookies: SetCookies) =>
  cookies
    .map((one) => one.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ')
const signedIn = (cookies: SetCookies | null, { people } = open()) => people.signedIn(from(cookies).headers)

test('signing in leads to a session of the person with the active memberships', async () => {
  const { userId, email } = await person()
  const cookies = await open().signIns.signIn(from(), email.toUpperCase(), PASSWORD)
  expect(await signedIn(cookies)).toEqual({
    userId,
    sessionId: expect.any(String),
    name: 'Ana',
    email,
    memberships: [{ organizationId, role: 'member' }],
  })
})

test('over https the cookie is bound to the host; over http it is still out of reach of scripts', async () => {
  const { email } = await person()
  const [secure] = (await open().signIns.signIn(from(), email, PASSWORD)) ?? []
  expect(secure).toMatch(/^__Host-troupe_session=[^;]+;/)
  expect(secure?.split('; ').slice(1).toSorted()).toEqual([
    'HttpOnly',
    'Max-Age=604800',
    'Path=/',
    'SameSite=Lax',
    'Secure',
  ])
  const [plain] = (await open('http://localhost:3000').signIns.signIn(from(), email, PASSWORD)) ?? []
  expect(plain).toMatch(/^troupe_session=[^;]+;/)
  expect(plain).toContain('HttpOnly')
  expect(plain).not.toContain('Secure')
})

test('a wrong password, an unknown address and no address at all are the same answer', async () => {
  const { email } = await person()
  const { signIn } = open().signIns
  expect(await signIn(from(), email, 'another password')).toBeNull()
  expect(await signIn(from(), 'nobody@acme.test', PASSWORD)).toBeNull()
  expect(await signIn(from(), 'nonsense', PASSWORD)).toBeNull()
  expect(await signIn(from(), email, '')).toBeNull()
  expect(await signIn(from(), email, 'x'.repeat(100_000))).toBeNull()
})

// Compares two durations, which a busy machine can stretch.
test('an unknown address costs a hash too', { retry: 2 }, async () => {
  const { email } = await person()
  const { signIn } = open().signIns
  await signIn(from(), email, 'warm up, please')
  const took = async (address: string) => {
    const begun = performance.now()
    await signIn(from(), address, 'a wrong password')
    return performance.now() - begun
  }
  const known = Math.min(await took(email), await took(email), await took(email))
  const unknown = Math.min(await took('no@acme.test'), await took('no@acme.test'), await took('no@acme.test'))
  expect(unknown).toBeGreaterThan(known / 3)
})

test('signing out ends the session on every process immediately, and the cookie becomes invalid', async () => {
  const { email } = await person()
  const [one, two] = [open(), open()]
  const cookies = await one.signIns.signIn(from(), email, PASSWORD)
  expect(await signedIn(cookies, two)).not.toBeNull()
  const cleared = await one.signIns.signOut(from(cookies))
  expect(cleared[0]).toMatch(/^__Host-troupe_session=;.*Max-Age=0/)
  expect(await signedIn(cookies, two)).toBeNull()
  await expect(one.signIns.signOut(from(cookies))).resolves.toBeDefined()
})

test('signing in ends the session that the browser had', async () => {
  const { email } = await person()
  const { signIn } = open().signIns
  const first = await signIn(from(), email, PASSWORD)
  expect(await signIn(from(first), email, 'a wrong password')).toBeNull()
  expect(await signedIn(first)).not.toBeNull()
  const second = await signIn(from(first), email, PASSWORD)
  expect(await signedIn(first)).toBeNull()
  expect(await signedIn(second)).not.toBeNull()
})

test('a forged cookie is refused: another signature, another token, another secret', async () => {
  const { email } = await person()
  const cookies = (await open().signIns.signIn(from(), email, PASSWORD)) ?? []
  const [pair = ''] = cookies[0]?.split(';') ?? []
  const name = pair.slice(0, pair.indexOf('='))
  const [token, signature] = decodeURIComponent(pair.slice(name.length + 1)).split('.')
  const forged = ['', 'x', `${token}`, `${token}.`, `${token}.${'A'.repeat(43)}=`, `x${token}.${signature}`]
  for (const value of forged) {
    expect(await signedIn([`${name}=${encodeURIComponent(value)}`])).toBeNull()
  }
  expect(
    await signedIn(cookies, open('https://troupe.test', 'the secret of another deployment, long')),
  ).toBeNull()
  expect(await signedIn(cookies)).not.toBeNull()
})

test('a session ends after a week', async () => {
  const { email } = await person()
  const cookies = await open().signIns.signIn(from(), email, PASSWORD)
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + 7 * 86_400_000 - 60_000 })
  try {
    expect(await signedIn(cookies)).not.toBeNull()
    vi.setSystemTime(now + 7 * 86_400_000 + 60_000)
    expect(await signedIn(cookies)).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('a suspension applies from the next request on', async () => {
  const { userId, email } = await person()
  const cookies = await open().signIns.signIn(from(), email, PASSWORD)
  const set = (status: 'active' | 'suspended') =>
    database.transaction(({ write }) => write.members.put({ organizationId, userId, role: 'member', status }))
  await set('suspended')
  expect(await signedIn(cookies)).toMatchObject({ memberships: [] })
  await set('active')
  expect(await signedIn(cookies)).toMatchObject({ memberships: [{ organizationId, role: 'member' }] })
})

test('changing the password needs the current one, and ends every other session', async () => {
  const { email } = await person()
  const { signIns } = open()
  const other = await signIns.signIn(from(), email, PASSWORD)
  const own = await signIns.signIn(from(), email, PASSWORD)
  const change = (current: string) =>
    signIns.changePassword(from(own), { current, next: 'an even finer password' })
  expect(await change('a wrong password')).toBeNull()
  expect(await signedIn(other)).not.toBeNull()
  const renewed = await change(PASSWORD)
  expect(await signedIn(other)).toBeNull()
  expect(await signedIn(own)).toBeNull()
  expect(await signedIn(renewed)).toMatchObject({ email })
  expect(await signIns.signIn(from(), email, PASSWORD)).toBeNull()
  expect(await signIns.signIn(from(), email, 'an even finer password')).not.toBeNull()
})

/** Passwords whose next comparison completes only after `meanwhile`. */
function slow(meanwhile: () => Promise<unknown>): Passwords {
  let work: (() => Promise<unknown>) | null = meanwhile
  return {
    ...passwords,
    async matches(password, passwordHash) {
      const isEqual = await passwords.matches(password, passwordHash)
      const now = work
      work = null
      await now?.()
      return isEqual
    },
  }
}

const replacePassword = async (userId: UserId, password: string) => {
  const passwordHash = await passwords.hash(password)
  await database.transaction(({ write }) => write.users.setPassword(userId, passwordHash))
}
const sessionsOf = (userId: UserId) =>
  database.signIn.count('session', [{ field: 'userId', operator: 'eq', value: userId, connector: 'AND' }])

test('a sign-in in progress with the old password ends when a new one is set', async () => {
  const { userId, email } = await person()
  const { signIns } = open(
    undefined,
    undefined,
    slow(() => replacePassword(userId, 'a newer password')),
  )
  expect(await signIns.signIn(from(), email, PASSWORD)).toBeNull()
  expect(await sessionsOf(userId)).toBe(0)
  expect(await signIns.signIn(from(), email, 'a newer password')).not.toBeNull()
})

test('a change of the password in progress does not replace one that was set in the meantime', async () => {
  const { userId, email } = await person()
  const own = await open().signIns.signIn(from(), email, PASSWORD)
  const { signIns } = open(
    undefined,
    undefined,
    slow(() => replacePassword(userId, 'a newer password')),
  )
  expect(
    await signIns.changePassword(from(own), { current: PASSWORD, next: 'the squatter’s own' }),
  ).toBeNull()
  expect(await sessionsOf(userId)).toBe(0)
  expect(await signIns.signIn(from(), email, 'the squatter’s own')).toBeNull()
  expect(await signIns.signIn(from(), email, 'a newer password')).not.toBeNull()
})

test('of many concurrent changes of a password one wins, and its session is the only one', async () => {
  const { userId, email } = await person()
  const own = await open().signIns.signIn(from(), email, PASSWORD)
  const next = Array.from({ length: 5 }, (_, at) => `a new password ${at}`)
  const answers = await Promise.all(
    next.map((one) => open().signIns.changePassword(from(own), { current: PASSWORD, next: one })),
  )
  const won = answers.findIndex((cookies) => cookies !== null)
  expect(answers.filter((cookies) => cookies !== null)).toHaveLength(1)
  expect(await sessionsOf(userId)).toBe(1)
  expect(await open().signIns.signIn(from(), email, next[won] ?? '')).not.toBeNull()
})

test('a request without the cookie does not read the database', async () => {
  const { people } = createPeople({
    database: {} as Database,
    rateLimiter: createMemoryLimiter(),
    passwords,
    publicUrl: 'https://troupe.test',
    hasPublicUrl: true,
    proxies: { isBehindProxy: false },
    secret: 'x',
    newId: newId,
    log: pino({ level: 'silent' }),
  })
  expect(await people.signedIn({})).toBeNull()
  expect(await people.signedIn({ cookie: 'troupe_session=1; other=2' })).toBeNull()
})

test('retention deletes ended sessions only', async () => {
  const { signIns } = open()
  const { userId, email } = await person()
  await signIns.signIn(from(), email, PASSWORD)
  const ofUser = [{ field: 'userId', operator: 'eq', value: userId, connector: 'AND' }] as const
  await deleteExpiredSessions(database.signIn, Date.now())
  expect(await database.signIn.count('session', ofUser)).toBe(1)
  await deleteExpiredSessions(database.signIn, Date.now() + 8 * 86_400_000)
  expect(await database.signIn.count('session', ofUser)).toBe(0)
})
