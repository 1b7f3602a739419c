import { randomUUID } from 'node:crypto'
import { newId, OrganizationId, UserId } from '@troupe/contract'
import type { Mail } from '@troupe/mail'
import type { Actor, AuditEntry, Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPasswordResetLink, mailPasswordReset } from './issue-password-reset.ts'
import { findPasswordReset, resetPassword } from './reset-password.ts'

const FROM = { ip: '192.0.2.1', requestId: 'request-1' }
const OPERATOR: Actor = { kind: 'operator', id: null, ...FROM }
const HOUR_MS = 60 * 60_000

let database: Database
let audited: AuditEntry[]
let mails: Mail[]
let now: number
let user: { id: UserId; email: string }
let organizations: OrganizationId[]

beforeAll(async () => {
  const opened = await openReusedDatabase()
  const noting = (append: (entry: AuditEntry) => Promise<void>) => async (entry: AuditEntry) => {
    audited.push(entry)
    await append(entry)
  }
  database = {
    ...opened,
    transaction: (work) =>
      opened.transaction(({ write, ...tx }) =>
        work({ ...tx, write: { ...write, audit: { ...write.audit, append: noting(write.audit.append) } } }),
      ),
  }
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  now = Date.now()
  mails = []
  user = { id: newId(UserId), email: `${randomUUID()}@acme.test` }
  organizations = [newId(OrganizationId), newId(OrganizationId)]
  await database.transaction(async ({ write }) => {
    await write.users.insert({ ...user, name: 'Ana', emailVerified: false, passwordHash: 'first' })
    for (const id of organizations) {
      await write.organizations.put({ id, slug: id, name: 'Acme', rpm: 10, concurrentRuns: 10 })
      await write.members.put({ organizationId: id, userId: user.id, role: 'member', status: 'active' })
    }
  })
  audited = []
})

const parts = () => ({ database, publicUrl: 'https://troupe.test', now: () => now })
const mailer = { sends: true, send: async (mail: Mail) => void mails.push(mail) }
const tokenIn = (text = '') => /reset-password\/([\w-]{43})/.exec(text)?.[1] ?? ''
const mailed = async () => {
  await mailPasswordReset({ ...parts(), mailer }, user.email)
  return tokenIn(mails.at(-1)?.text)
}
const handed = async () => tokenIn((await createPasswordResetLink(parts(), OPERATOR, user.email)).link)
const reset = (token: string, hash = 'second') => resetPassword(parts(), token, hash, FROM)
const gone = expect.objectContaining({ code: 'password_reset_not_found' })

test('a mailed link sets the password, confirms the address, and is audited in every organization without its token', async () => {
  const token = await mailed()
  expect(await findPasswordReset({ read: database.read, now: () => now }, token)).toMatchObject({
    id: user.id,
    mailed: true,
  })
  await reset(token)
  expect(await database.read.users.passwordOf(user.id)).toBe('second')
  expect(await database.read.users.byEmail(user.email)).toMatchObject({ emailVerified: true })
  expect(audited.map(({ organizationId }) => organizationId).toSorted()).toEqual(organizations.toSorted())
  expect(audited[0]).toMatchObject({ action: 'member.password_reset', actor: { kind: 'user', id: user.id } })
  expect(JSON.stringify(audited)).not.toContain(token)
  await expect(reset(token)).rejects.toEqual(gone)
})

test('a link of the operator is audited when it is created, and confirms no address', async () => {
  await reset(await handed())
  expect(await database.read.users.byEmail(user.email)).toMatchObject({ emailVerified: false })
  expect(audited.map(({ action }) => action)).toEqual([
    'member.password_reset_link_created',
    'member.password_reset_link_created',
    'member.password_reset',
    'member.password_reset',
  ])
})

test('a link ends after an hour, and with the next link', async () => {
  const first = await mailed()
  const second = await handed()
  await expect(reset(first)).rejects.toEqual(gone)
  await expect(reset(first)).rejects.not.toHaveProperty('expiredAt')
  now += HOUR_MS
  const expired = { code: 'password_reset_not_found', expiredAt: new Date(now) }
  await expect(reset(second)).rejects.toMatchObject(expired)
  expect(await database.read.users.passwordOf(user.id)).toBe('first')
})

test('of concurrent links and uses, at most one use sets the password, and only with the newest link', async () => {
  const token = await mailed()
  const uses = Array.from({ length: 5 }, (_, at) => reset(token, `hash ${at}`))
  const [next, ...outcomes] = await Promise.allSettled([mailed(), ...uses])
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
  const found = next?.status === 'fulfilled' ? next.value : ''
  await reset(found, 'last').catch((error: unknown) => expect(error).toEqual(gone))
})

test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(100_000)])('%s is not a link', async (token) => {
  await expect(reset(token)).rejects.toEqual(gone)
})

test('no mail is sent to an address without an account, and the operator gets an error', async () => {
  expect(await mailPasswordReset({ ...parts(), mailer }, 'nobody@acme.test')).toBeNull()
  expect(mails).toEqual([])
  const link = createPasswordResetLink(parts(), OPERATOR, 'nobody@acme.test')
  await expect(link).rejects.toMatchObject({ code: 'account_not_found' })
})
