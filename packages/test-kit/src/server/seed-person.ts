import { type MemberRole, type MemberStatus, newId, type OrganizationId, UserId } from '@troupe/contract'
import type { Database } from '@troupe/storage'
import type { TestServer } from './start-test-server.ts'
import { TEST_PASSWORDS } from './test-passwords.ts'

/** A user with an account. */
export interface SeededPerson {
  userId: UserId
  name: string
  email: string
  password: string
}

/** The organization and role of a user. */
export interface PersonSeed {
  organizationId: OrganizationId
  /** `member` by default. */
  role?: MemberRole
  /** `active` by default. */
  status?: MemberStatus
  name?: string
}

const PASSWORD = 'a password of tests'

/** Inserts a user and a membership into the database. */
export async function seedPerson(
  database: Pick<Database, 'transaction'>,
  { organizationId, role = 'member', status = 'active', name = 'Ana' }: PersonSeed,
): Promise<SeededPerson> {
  const userId = newId(UserId)
  const person = { userId, name, email: `${userId}@acme.test`, password: PASSWORD }
  const passwordHash = await TEST_PASSWORDS.hash(PASSWORD)
  await database.transaction(async ({ write }) => {
    await write.users.insert({ id: userId, name, email: person.email, emailVerified: true, passwordHash })
    await write.members.put({ organizationId, userId, role, status })
  })
  return person
}

/** The `Origin` of this server's pages. */
export function ownOrigin({ context }: Pick<TestServer, 'context'>): string {
  return new URL(context.config.publicUrl).origin
}

/** Signs a user in through the page, and returns the resulting `Cookie` header. */
export async function signIn(
  server: Pick<TestServer, 'app' | 'context'>,
  { email, password }: Pick<SeededPerson, 'email' | 'password'>,
): Promise<string> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/sign-in',
    headers: { origin: ownOrigin(server), 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ email, password }).toString(),
  })
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  if (cookies.length === 0) throw new Error(`${email} cannot sign in: ${answer.statusCode}`)
  return cookies.map((one) => one.split(';')[0]).join('; ')
}

/** Ends the session of a cookie of {@link signIn} as an expiry would. */
export async function expireSession({ context }: Pick<TestServer, 'context'>, cookie: string): Promise<void> {
  const value = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1))
  const token = value.slice(0, value.indexOf('.'))
  const where = { field: 'token', operator: 'eq', value: token, connector: 'AND' } as const
  const rows = await context.database.signIn.update('session', [where], { expiresAt: new Date(0) })
  if (rows.length !== 1) throw new Error('there is no such session')
}
