import { randomUUID } from 'node:crypto'
import { newId, UserId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SignInCondition } from '../../src/users/port.ts'
import { createTenant, type Subject } from './tenant.ts'

const where = (field: string, value: unknown): SignInCondition => ({
  field,
  operator: 'eq',
  value,
  connector: 'AND',
})

/** @param isPooled whether other statements run while a transaction is open */
export function peopleContract(subject: Subject, { isPooled }: { isPooled: boolean }): void {
  const person = async (email = `${randomUUID()}@acme.test`) => {
    const id = newId(UserId)
    await subject().transaction(({ write }) =>
      write.users.insert({ id, name: 'Ana', email, emailVerified: false, passwordHash: 'hash' }),
    )
    return { id, email }
  }
  const session = (userId: UserId) => {
    const now = new Date(1_800_000_000_123)
    const row = {
      id: randomUUID(),
      userId,
      token: randomUUID(),
      expiresAt: now,
      createdAt: now,
      updatedAt: now,
    }
    return subject().signIn.create('session', { ...row, ipAddress: null, userAgent: 'a\0b' })
  }

  describe('people', () => {
    it('have one account for each address, ignoring case', async () => {
      const { id, email } = await person()
      expect(await subject().read.users.byEmail(email.toUpperCase())).toMatchObject({
        id,
        email,
        name: 'Ana',
      })
      expect(await subject().read.users.passwordOf(id)).toBe('hash')
      await expect(person(email)).rejects.toMatchObject({ code: '23505' })
      await expect(person(`UPPER-${email}`)).rejects.toMatchObject({ code: '23514' })
    })

    it('belong to the organizations in which they are active members', async () => {
      const db = subject()
      const [one, two] = [await createTenant(db), await createTenant(db)]
      const { id: userId } = await person()
      const put = (organizationId: typeof one.organizationId, status: 'active' | 'suspended') =>
        db.transaction(({ write }) => write.members.put({ organizationId, userId, role: 'admin', status }))
      await put(one.organizationId, 'active')
      await put(two.organizationId, 'suspended')
      expect(await db.read.members.activeOf(userId)).toEqual([
        { organizationId: one.organizationId, role: 'admin' },
      ])
      expect(await db.read.members.organizationsOf(userId)).toHaveLength(2)
      await db.transaction(({ write }) => write.members.delete(one.organizationId, userId))
      expect(await db.read.members.byId(one.organizationId, userId)).toBeNull()
      expect(await db.read.members.list(two.organizationId)).toMatchObject([{ userId, status: 'suspended' }])
    })

    it('lose every session with a new password, and keep those of others', async () => {
      const [ana, eva] = [await person(), await person()]
      const [one, other] = [await session(ana.id), await session(eva.id)]
      expect(one).toMatchObject({ expiresAt: new Date(1_800_000_000_123), userAgent: 'a\ufffdb' })
      await subject().transaction(({ write }) => write.users.setPassword(ana.id, 'another hash'))
      const { find } = subject().signIn
      expect(await find('session', [where('token', one.token)])).toEqual([])
      expect(await find('session', [where('token', other.token)])).toEqual([other])
    })

    it('get a new password only in place of the one that was checked', async () => {
      const ana = await person()
      const set = (hash: string, before?: string) =>
        subject().transaction(({ write }) => write.users.setPassword(ana.id, hash, before))
      expect(await set('first')).toBe(true)
      const { token } = await session(ana.id)
      expect(await set('second', 'another')).toBe(false)
      expect(await subject().signIn.find('session', [where('token', token)])).toHaveLength(1)
      const answers = await Promise.all([set('second', 'first'), set('third', 'first')])
      expect(answers.toSorted()).toEqual([false, true])
    })

    it('get no session between the end of their sessions and the commit of a new password', async () => {
      const ana = await person()
      const order: string[] = []
      const begun = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      const setting = subject()
        .transaction(async ({ write }) => {
          await write.users.setPassword(ana.id, 'new hash')
          begun.resolve()
          await gate.promise
        })
        .then(() => order.push('password'))
      await begun.promise
      const inserting = session(ana.id).then(() => order.push('session'))
      // Without the lock, the insert would commit long before the accounts, which are created one by one. The embedded
      // database has one connection, on which no other statement can run in the meantime.
      if (isPooled) for (let at = 0; at < 5; at += 1) await person()
      // After the commit, both may answer in either order, on two connections.
      expect(order).toEqual([])
      gate.resolve()
      await Promise.all([setting, inserting])
    })

    it('have one password reset at a time, which is used once and ends with a new password', async () => {
      const ana = await person()
      const expiresAt = new Date(1_800_000_000_000)
      const put = (tokenHash: string) =>
        subject().transaction(({ write }) =>
          write.users.putReset({ userId: ana.id, tokenHash, mailed: true, expiresAt }),
        )
      const take = (tokenHash: string) =>
        subject().transaction(({ write }) => write.users.takeReset(tokenHash))
      const hashes = Array.from({ length: 6 }, () => randomUUID())
      await Promise.all(hashes.map(put))
      const found = await Promise.all(hashes.map((one) => subject().read.users.resetByTokenHash(one)))
      const [last] = found.filter((one) => one !== null)
      expect(found.filter((one) => one !== null)).toHaveLength(1)
      expect(last).toMatchObject({ id: ana.id, mailed: true, expiresAt })
      const taken = await Promise.all([...hashes, ...hashes].map(take))
      expect(taken.filter(Boolean)).toHaveLength(1)
      await put('before-a-new-password')
      await subject().transaction(({ write }) => write.users.setPassword(ana.id, 'new hash'))
      expect(await take('before-a-new-password')).toBe(false)
    })

    it('are never changed or deleted in bulk by the library', async () => {
      const { signIn } = subject()
      await expect(signIn.delete('session', [])).rejects.toThrow('without a condition')
      await expect(signIn.update('user', [], { name: 'X' })).rejects.toThrow('without a condition')
      await expect(signIn.find('user', [where('nothing', 1)])).rejects.toThrow('no column')
      await expect(signIn.count('secrets' as 'user', [where('id', 1)])).rejects.toThrow('no sign-in table')
    })

    it('accept an invitation once', async () => {
      const db = subject()
      const { organizationId } = await createTenant(db)
      const id = randomUUID()
      const invitation = { id, organizationId, email: 'a@acme.test', role: 'member', mailed: true } as const
      const put = (tokenHash: string) =>
        db.transaction(({ write }) =>
          write.invitations.put({ ...invitation, tokenHash, expiresAt: new Date(1_800_000_000_000) }),
        )
      const [first, second] = [randomUUID(), randomUUID()]
      await put(first)
      await put(second)
      expect(await db.read.invitations.byTokenHash(first)).toBeNull()
      expect(await db.read.invitations.byTokenHash(second)).toMatchObject(invitation)
      const take = () => db.transaction(({ write }) => write.invitations.take(organizationId, id))
      expect((await Promise.all([take(), take(), take()])).toSorted()).toEqual([false, false, true])
    })
  })
}
