import { randomUUID } from 'node:crypto'
import { type DomainError, type MemberRole, newId, OrganizationId, UserId } from '@troupe/contract'
import type { Mail } from '@troupe/mail'
import type { Actor, AuditEntry, Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptInvitation } from './accept-invitation.ts'
import { changeMember } from './change-member.ts'
import { findInvitation } from './find-invitation.ts'
import { inviteMember } from './invite-member.ts'
import { removeMember } from './remove-member.ts'
import { withdrawInvitation } from './withdraw-invitation.ts'

const FROM = { ip: '192.0.2.1', requestId: 'request-1' }
const OPERATOR: Actor = { kind: 'operator', id: null, ...FROM }

let database: Database
let organizationId: OrganizationId
let now: number
let audited: AuditEntry[]
let mails: Mail[]
let mailFails: boolean

beforeAll(async () => {
  const opened = await openReusedDatabase()
  database = {
    ...opened,
    transaction: (work) =>
      opened.transaction(({ write, ...tx }) =>
        work({
          ...tx,
          write: {
            ...write,
            audit: {
              ...write.audit,
              async append(entry) {
                audited.push(entry)
                await write.audit.append(entry)
              },
            },
          },
        }),
      ),
  }
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  organizationId = await organization()
  now = Date.now()
  audited = []
  mails = []
  mailFails = false
})

async function organization(): Promise<OrganizationId> {
  const id = newId(OrganizationId)
  await database.transaction(({ write }) =>
    write.organizations.put({ id, slug: id, name: 'Acme', rpm: 10, concurrentRuns: 10 }),
  )
  return id
}

/** A member with an account. */
async function member(role: MemberRole, where = organizationId, email = `${randomUUID()}@acme.test`) {
  const userId = newId(UserId)
  await database.transaction(async ({ write }) => {
    await write.users.insert({ id: userId, name: `A ${role}`, email, emailVerified: true, passwordHash: 'x' })
    await write.members.put({ organizationId: where, userId, role, status: 'active' })
  })
  const actor: Actor = { kind: 'user', id: userId, ...FROM }
  return { userId, email, actor }
}

const parts = (sends = false) => ({
  database,
  mailer: {
    sends,
    async send(mail: Mail) {
      if (mailFails) throw new Error('the mail server of smtp://user:secret@mail')
      mails.push(mail)
    },
  },
  publicUrl: 'https://troupe.test',
  newId,
  now: () => now,
})
const invite = (actor: Actor, email: string, role: MemberRole = 'member', sends = false) =>
  inviteMember(parts(sends), organizationId, actor, { email, role })
const tokenOf = (link: string | null) => link?.split('/').at(-1) ?? ''
const accept = (token: string, name = 'Eva') =>
  acceptInvitation(parts(), token, { kind: 'new', name, passwordHash: 'hash' }, FROM)
const change = (actor: Actor, userId: string, body: Parameters<typeof changeMember>[4]) =>
  changeMember({ database }, organizationId, actor, userId, body)
const remove = (actor: Actor, userId: string) => removeMember({ database }, organizationId, actor, userId)
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => expect.fail('it was not refused'),
    ({ code, message }: DomainError) => code ?? message,
  )

describe('an invitation', () => {
  test('creates its link once, and the person who opens it becomes a member with an account', async () => {
    const { actor } = await member('owner')
    const { invitation, link } = await invite(actor, 'Eva@Acme.test', 'admin')
    expect(link).toMatch(/^https:\/\/troupe\.test\/invitations\/[\w-]{43}$/)
    expect(await findInvitation({ read: database.read, now: () => now }, tokenOf(link))).toMatchObject({
      organizationName: 'Acme',
      email: 'eva@acme.test',
      role: 'admin',
      hasAccount: false,
    })
    const { userId } = await accept(tokenOf(link))
    expect(await database.read.members.byId(organizationId, userId)).toMatchObject({
      name: 'Eva',
      email: 'eva@acme.test',
      role: 'admin',
      status: 'active',
    })
    expect(await refusal(accept(tokenOf(link)))).toBe('invitation_not_found')
    expect(audited).toMatchObject([
      { action: 'member.invited', actor, entityId: invitation.id, after: { email: 'eva@acme.test' } },
      { action: 'member.joined', actor: { kind: 'user', id: userId, ...FROM }, entityId: userId },
    ])
    expect(JSON.stringify(audited)).not.toContain(tokenOf(link))
  })

  test('is mailed if there is a mail server, and then the link is never shown', async () => {
    const { actor } = await member('owner')
    const { link } = await invite(actor, 'mailed@acme.test', 'member', true)
    expect(link).toBeNull()
    expect(mails).toMatchObject([{ to: 'mailed@acme.test', subject: 'You are invited to Acme' }])
    const token = /invitations\/([\w-]{43})/.exec(mails[0]?.text ?? '')?.[1] ?? ''
    await accept(token)
    expect(await database.read.users.byEmail('mailed@acme.test')).toMatchObject({ emailVerified: true })
  })

  test('with a manually shared link does not prove access to the mailbox', async () => {
    const { link } = await invite((await member('owner')).actor, 'byhand@acme.test')
    await accept(tokenOf(link))
    expect(await database.read.users.byEmail('byhand@acme.test')).toMatchObject({ emailVerified: false })
  })

  test('that cannot be mailed reports it without the address of the mail server, and can be repeated', async () => {
    const { actor } = await member('owner')
    mailFails = true
    await expect(invite(actor, 'later@acme.test', 'member', true)).rejects.toMatchObject({
      code: 'bad_gateway',
      message: expect.not.stringContaining('smtp'),
    })
    mailFails = false
    await invite(actor, 'later@acme.test', 'member', true)
    expect(mails).toHaveLength(1)
  })

  test('ends after 7 days', async () => {
    const { link } = await invite((await member('owner')).actor, 'late@acme.test')
    now += 7 * 86_400_000
    expect(await refusal(accept(tokenOf(link)))).toBe('invitation_not_found')
    await expect(accept(tokenOf(link))).rejects.toMatchObject({ expiredAt: new Date(now) })
  })

  test('again invalidates the first link', async () => {
    const { actor } = await member('owner')
    const first = await invite(actor, 'twice@acme.test')
    const second = await invite(actor, 'twice@acme.test', 'admin')
    expect(await database.read.invitations.list(organizationId)).toHaveLength(1)
    expect(await refusal(accept(tokenOf(first.link)))).toBe('invitation_not_found')
    await accept(tokenOf(second.link))
  })

  test('that was withdrawn is invalid, and only the first withdrawal succeeds', async () => {
    const { actor } = await member('admin')
    const { invitation, link } = await invite(actor, 'away@acme.test')
    const withdraw = (id: string) => withdrawInvitation({ database }, organizationId, actor, id)
    expect(await refusal(withdraw('nonsense'))).toBe('invitation_not_found')
    await withdraw(invitation.id)
    expect(await refusal(withdraw(invitation.id))).toBe('invitation_not_found')
    expect(await refusal(accept(tokenOf(link)))).toBe('invitation_not_found')
  })

  test('is accepted only by the person who is signed in with its address', async () => {
    const elsewhere = await organization()
    const eva = await member('member', elsewhere)
    const max = await member('member', elsewhere)
    const { link } = await invite((await member('owner')).actor, eva.email)
    const as = ({ userId, email }: typeof eva) =>
      acceptInvitation(parts(), tokenOf(link), { kind: 'person', userId, email }, FROM)
    expect(await refusal(as(max))).toBe('forbidden')
    expect(await refusal(accept(tokenOf(link)))).toBe('account_exists')
    await as(eva)
    expect(await database.read.members.activeOf(eva.userId)).toHaveLength(2)
  })

  test('of a current member is refused', async () => {
    const { actor, email } = await member('owner')
    expect(await refusal(invite(actor, email.toUpperCase()))).toBe('already_member')
  })

  test('that is accepted twice concurrently creates one member', async () => {
    const { link } = await invite((await member('owner')).actor, 'race@acme.test')
    const all = await Promise.allSettled(['One', 'Two', 'Three'].map((name) => accept(tokenOf(link), name)))
    expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await database.read.members.list(organizationId)).toHaveLength(2)
  })
})

describe('permissions', () => {
  test('a plain member, a suspended admin, a stranger and an API key cannot manage members', async () => {
    const [admin, plain] = [await member('admin'), await member('member')]
    await change(OPERATOR, admin.userId, { status: 'suspended' })
    const stranger = await member('owner', await organization())
    const key: Actor = { kind: 'api_key', id: randomUUID(), ...FROM }
    for (const actor of [plain.actor, admin.actor, stranger.actor, key]) {
      expect(await refusal(invite(actor, 'x@acme.test'))).toBe('forbidden')
      expect(await refusal(change(actor, plain.userId, { role: 'owner' }))).toBe('forbidden')
      expect(await refusal(remove(actor, plain.userId))).toBe('forbidden')
    }
  })

  test('an admin manages members and admins, but neither creates nor changes owners', async () => {
    const [owner, admin, plain] = [await member('owner'), await member('admin'), await member('member')]
    await member('owner')
    expect(await refusal(invite(admin.actor, 'x@acme.test', 'owner'))).toBe('forbidden')
    expect(await refusal(change(admin.actor, plain.userId, { role: 'owner' }))).toBe('forbidden')
    expect(await refusal(change(admin.actor, owner.userId, { role: 'member' }))).toBe('forbidden')
    expect(await refusal(change(admin.actor, owner.userId, { status: 'suspended' }))).toBe('forbidden')
    expect(await refusal(remove(admin.actor, owner.userId))).toBe('forbidden')
    await change(admin.actor, plain.userId, { role: 'admin' })
    await remove(admin.actor, plain.userId)
  })

  test('members of another organization are not found', async () => {
    const { actor } = await member('owner')
    const other = await member('member', await organization())
    for (const id of [other.userId, randomUUID(), 'nonsense']) {
      expect(await refusal(change(actor, id, { role: 'admin' }))).toBe('member_not_found')
      expect(await refusal(remove(actor, id))).toBe('member_not_found')
    }
  })
})

test('a suspension closes the organization, a reactivation opens it, and both are audited', async () => {
  const [owner, plain] = [await member('owner'), await member('member')]
  await change(owner.actor, plain.userId.toUpperCase(), { status: 'suspended' })
  expect(await database.read.members.activeOf(plain.userId)).toEqual([])
  await change(owner.actor, plain.userId, { status: 'suspended' })
  await change(owner.actor, plain.userId, { status: 'active' })
  expect(await database.read.members.activeOf(plain.userId)).toHaveLength(1)
  expect(audited).toMatchObject([
    { action: 'member.updated', before: { status: 'active' }, after: { status: 'suspended' } },
    { action: 'member.updated', before: { status: 'suspended' }, after: { status: 'active' } },
  ])
})

test('a change is refused if the member is no longer as expected, and changes nothing', async () => {
  const [owner, plain] = [await member('owner'), await member('member')]
  const undo = { role: 'member', expected: { role: 'viewer' } } as const
  await change(owner.actor, plain.userId, { role: 'viewer' })
  await change(owner.actor, plain.userId, { role: 'admin' })
  expect(await refusal(change(owner.actor, plain.userId, undo))).toBe('version_conflict')
  expect(await database.read.members.byId(organizationId, plain.userId)).toMatchObject({ role: 'admin' })
  await change(owner.actor, plain.userId, { ...undo, expected: { role: 'admin', status: 'active' } })
  expect(await database.read.members.byId(organizationId, plain.userId)).toMatchObject({ role: 'member' })
})

test('the last active owner is kept', async () => {
  const [owner, second] = [await member('owner'), await member('owner')]
  await change(owner.actor, second.userId, { status: 'suspended' })
  for (const actor of [owner.actor, OPERATOR]) {
    expect(await refusal(change(actor, owner.userId, { role: 'admin' }))).toBe('last_owner')
    expect(await refusal(change(actor, owner.userId, { status: 'suspended' }))).toBe('last_owner')
    expect(await refusal(remove(actor, owner.userId))).toBe('last_owner')
  }
  await change(owner.actor, second.userId, { status: 'active' })
  await remove(owner.actor, owner.userId)
})

test('two owners who demote each other concurrently leave one', async () => {
  const [one, two] = [await member('owner'), await member('owner')]
  const all = await Promise.allSettled([
    change(one.actor, two.userId, { role: 'member' }),
    change(two.actor, one.userId, { role: 'member' }),
  ])
  expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const members = await database.read.members.list(organizationId)
  expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1)
})
