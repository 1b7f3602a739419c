import { randomUUID } from 'node:crypto'
import { newId, type OrganizationId, UserId } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'
import { Organizations } from './testing/organizations.ts'

let parts: BundleParts
let organizations: Organizations
beforeAll(async () => {
  parts = await openBundleParts()
  organizations = new Organizations(parts)
})
afterAll(() => parts[Symbol.asyncDispose]())

const email = () => `${randomUUID()}@acme.test`
const members = (...lines: string[]) =>
  `    members:\n${lines.map((line) => `      - { ${line} }\n`).join('')}`
const membersOf = async (slug: string) => parts.database.read.members.list(await organizations.id(slug))
const userOf = async (address: string) => {
  const user = await parts.database.read.users.byEmail(address)
  if (!user) throw new Error(`nobody has ${address}`)
  return user
}
const hasPassword = async (address: string, password: string) =>
  parts.passwords.matches(password, await parts.database.read.users.passwordOf((await userOf(address)).id))

const applyText = (text: string) => applyBundle(parts, { text, variables: null, actor: TEST_ACTOR })

/** A person whose account was created through a manually shared invitation. */
async function unconfirmed(address: string, organizationId: OrganizationId | null): Promise<void> {
  const id = newId(UserId)
  const passwordHash = await parts.passwords.hash('password of a stranger')
  await parts.database.transaction(async ({ write }) => {
    await write.users.insert({ id, name: 'Stranger', email: address, emailVerified: false, passwordHash })
    if (organizationId) {
      await write.members.put({ organizationId, userId: id, role: 'member', status: 'active' })
    }
  })
}

test('a member gets an account with the given password, and applying it again writes nothing', async () => {
  const slug = await organizations.furnished()
  const ana = email()
  const body = members(`email: ${ana.toUpperCase()}, name: Ana, role: owner, password: a fine password`)
  const applied = await organizations.apply(slug, body)
  expect(applied).toMatchObject({ members: { created: 1 }, mintedPasswords: [] })
  expect(await membersOf(slug)).toMatchObject([{ email: ana, name: 'Ana', role: 'owner', status: 'active' }])
  expect(await hasPassword(ana, 'a fine password')).toBe(true)
  parts.told.length = 0
  expect((await organizations.apply(slug, body)).members).toEqual({ created: 0, updated: 0, unchanged: 1 })
  expect(parts.told).toEqual([])
})

test('without a password one is minted, shown once, and never changed again', async () => {
  const slug = await organizations.furnished()
  const ana = email()
  const body = members(`email: ${ana}, name: Ana, role: member`)
  const { mintedPasswords } = await organizations.apply(slug, body)
  expect(mintedPasswords).toEqual([{ email: ana, password: expect.stringMatching(/^[\w-]{20}$/) }])
  const again = await organizations.apply(slug, body)
  expect(again).toMatchObject({ members: { unchanged: 1 }, mintedPasswords: [] })
  expect(await hasPassword(ana, mintedPasswords[0]?.password ?? '')).toBe(true)
})

test('role, status, name and password of a member change; absent fields are kept', async () => {
  const slug = await organizations.furnished()
  const ana = email()
  await organizations.apply(
    slug,
    members(`email: ${ana}, name: Ana, role: member, password: the first password`),
  )
  const changed = await organizations.apply(
    slug,
    members(`email: ${ana}, name: Anna, role: admin, status: suspended, password: the second password`),
  )
  expect(changed.members.updated).toBe(1)
  expect(await hasPassword(ana, 'the second password')).toBe(true)
  await organizations.apply(slug, members(`email: ${ana}, name: Anna, role: admin`))
  expect(await membersOf(slug)).toMatchObject([{ name: 'Anna', role: 'admin', status: 'suspended' }])
  await organizations.apply(slug, '    members: []\n')
  expect(await membersOf(slug)).toHaveLength(1)
})

test('a person of two organizations has one account, and neither bundle changes name or password any more', async () => {
  const [one, two] = [await organizations.furnished(), await organizations.furnished()]
  const ana = email()
  await organizations.apply(
    one,
    members(`email: ${ana}, name: Ana, role: owner, password: the first password`),
  )
  const body = members(`email: ${ana}, name: Somebody, role: member, password: the second password`)
  expect((await organizations.apply(two, body)).members).toEqual({ created: 1, updated: 0, unchanged: 0 })
  expect(await membersOf(two)).toMatchObject([{ name: 'Ana', role: 'member' }])
  expect(await hasPassword(ana, 'the first password')).toBe(true)
  expect((await organizations.apply(two, body)).members.unchanged).toBe(1)
  await organizations.apply(
    one,
    members(`email: ${ana}, name: Anna, role: owner, password: the third password`),
  )
  expect(await userOf(ana)).toMatchObject({ name: 'Ana' })
  expect(await hasPassword(ana, 'the first password')).toBe(true)
})

test('an account that a stranger may have created is refused', async () => {
  const [one, two] = [await organizations.furnished(), await organizations.furnished()]
  const ana = email()
  await unconfirmed(ana, await organizations.id(one))
  const line = `email: ${ana}, name: Ana, role: member, password: a fine password`
  expect(await organizations.problems(two, members(line))).toEqual([
    expect.stringContaining('has an account of another organization whose address was never confirmed'),
  ])
  const eva = email()
  await unconfirmed(eva, null)
  const without = members(`email: ${eva}, name: Eva, role: member`)
  expect(await organizations.problems(two, without)).toEqual([
    expect.stringContaining('a password takes it over'),
  ])
  await organizations.apply(two, members(`email: ${eva}, name: Eva, role: member, password: a fine password`))
  expect(await hasPassword(eva, 'a fine password')).toBe(true)
  expect(await userOf(eva)).toMatchObject({ name: 'Eva', emailVerified: true })
})

test('the last active owner is kept', async () => {
  const slug = await organizations.furnished()
  const [ana, eva] = [email(), email()]
  await organizations.apply(slug, members(`email: ${ana}, name: Ana, role: owner`))
  for (const change of ['role: admin', 'role: owner, status: suspended']) {
    expect(await organizations.problems(slug, members(`email: ${ana}, name: Ana, ${change}`))).toEqual([
      expect.stringContaining('would leave the organization without an active owner'),
    ])
  }
  const lines = [`email: ${ana}, name: Ana, role: admin`, `email: ${eva}, name: Eva, role: owner`]
  await organizations.apply(slug, members(...lines))
})

test('problems of members have their lines', async () => {
  const slug = await organizations.furnished()
  const found = await organizations.problems(
    slug,
    members(
      'email: nonsense, name: A, role: owner',
      'email: a@acme.test, name: "  ", role: owner',
      'email: b@acme.test, name: B, role: king',
      'email: c@acme.test, name: C, role: owner, password: short',
      'email: d@acme.test, name: D, role: owner, id: x',
      'email: e@acme.test, name: E, role: owner',
      'email: E@acme.test, name: E, role: owner',
    ),
  )
  expect(found).toHaveLength(6)
  expect(found).toEqual(found.map(() => expect.stringMatching(/^\d+ members\.\d/)))
  expect(JSON.stringify(found)).toContain('must be an e-mail address')
  expect(JSON.stringify(found)).toContain('is used by another member on line')
})

test('an export has members without passwords, and can be applied', async () => {
  const slug = await organizations.furnished()
  const [ana, eva] = ['a', 'e'].map((letter) => letter + email())
  await organizations.apply(
    slug,
    members(
      `email: ${eva}, name: Eva, role: admin, status: suspended, password: a fine password`,
      `email: ${ana}, name: Ana, role: owner`,
    ),
  )
  const text = await exportBundle(parts, slug)
  expect(text).toContain(ana)
  expect(text).not.toContain('a fine password')
  expect(text).not.toContain('$2b$')
  const [applied] = (await applyText(text)).organizations
  expect(applied?.members).toEqual({ created: 0, updated: 0, unchanged: 2 })
})

test('one bundle may name a new person in two organizations', async () => {
  const ana = email()
  const line = `      - { email: ${ana}, name: Ana, role: owner, password: a fine password }`
  const text = ['one', 'two']
    .map((slug) => `  - slug: pair-${slug}\n    name: Pair\n    members:\n${line}\n`)
    .join('')
  const applied = await applyText(`apiVersion: troupe/v1\norganizations:\n${text}`)
  expect(applied.organizations.map((one) => one.members.created)).toEqual([1, 1])
  const again = await applyText(`apiVersion: troupe/v1\norganizations:\n${text}`)
  expect(again.organizations.map((one) => one.members.unchanged)).toEqual([1, 1])
})
