import { randomBytes } from 'node:crypto'
import { type BundleMember, type OrganizationId, UserId } from '@troupe/contract'
import type { PasswordHashes } from '@troupe/secrets'
import type { MemberRecord, UserRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import { checkMemberAuthor } from '../resolve/check-author.ts'
import { KeptResults } from '../resolve/kept-results.ts'
import type { Planner } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'

/** A membership to be written. */
export type WrittenMember = Omit<MemberRecord, 'createdAt'>

/**
 * The planned change to the user's account. Accounts belong to the deployment: an account that is also a member of
 * other organizations is not changed, so that no organization can alter it for the others or obtain its password.
 */
export type AccountChange =
  | { kind: 'none' }
  | { kind: 'create'; passwordHash: string }
  | { kind: 'update' /** null: unchanged. */; passwordHash: string | null }

/** A member, and the password when this plan generated it. */
export interface MemberStep extends Step<WrittenMember> {
  account: AccountChange
  minted: string | null
}

export async function planMembers(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleMember>[],
  stored: readonly MemberRecord[],
): Promise<MemberStep[]> {
  const steps: { path: string; step: MemberStep }[] = []
  for (const item of items) {
    const before = stored.find(({ email }) => email === item.value.email) ?? null
    const step = await planMember(planner, organizationId, item, before)
    if (step) steps.push({ path: item.path, step })
  }
  for (const { path, step } of steps) checkMemberAuthor(planner.problems, planner.role, path, step)
  requireOwnerLeft(planner, steps, stored)
  return steps.map(({ step }) => step)
}

async function planMember(
  planner: Planner,
  organizationId: OrganizationId,
  item: Item<BundleMember>,
  before: MemberRecord | null,
): Promise<MemberStep | null> {
  const { email, name, role, status = before?.status ?? 'active' } = item.value
  const member = { organizationId, email, name, role, status }
  const user = await planner.read.users.byEmail(email)
  if (!user) {
    const known = planner.newAccounts.get(email)
    const userId = known ?? planner.newId(UserId)
    planner.newAccounts.set(email, userId)
    const after = { ...member, userId }
    if (known) return { before: null, after, changed: true, account: { kind: 'none' }, minted: null }
    const { password, minted, passwordHash } = await newPassword(planner.passwords, item.value)
    const account = { kind: 'create', passwordHash } as const
    return { before: null, after, changed: true, account, minted: minted ? password : null }
  }
  const account = await planAccount(planner, item, user, before)
  if (account === null) return null
  // An account that is not changed keeps its stored name.
  const after = { ...member, userId: user.id, name: account.kind === 'none' ? user.name : name }
  const changed = before?.role !== role || before.status !== status || account.kind !== 'none'
  return { before, after, changed, account, minted: null }
}

/** null if the member is invalid, which is reported. */
async function planAccount(
  planner: Planner,
  { path, value }: Item<BundleMember>,
  user: UserRecord,
  before: MemberRecord | null,
): Promise<AccountChange | null> {
  const { members, users } = planner.read
  const isShared = (await members.organizationsOf(user.id)).some((id) => id !== before?.organizationId)
  // The creator of this account never proved access to the mailbox and may be anyone who knows the address.
  if (!before && !user.emailVerified && (isShared || value.password === undefined)) {
    planner.problems.add(
      `${path}.email`,
      isShared
        ? 'has an account of another organization whose address was never confirmed; invite the person instead'
        : 'has an account whose address was never confirmed; a password takes it over',
    )
    return null
  }
  if (isShared) return { kind: 'none' }
  const stored = value.password === undefined ? null : await users.passwordOf(user.id)
  const isOther = stored !== null && !(await isPassword(planner.passwords, value, stored))
  // The operator vouches for the addresses of a bundle; a member's bundle changes no accounts.
  const isConfirmed = user.emailVerified || planner.role !== null
  if (!isOther && user.name === value.name && isConfirmed) return { kind: 'none' }
  return {
    kind: 'update',
    passwordHash: isOther ? (await newPassword(planner.passwords, value)).passwordHash : null,
  }
}

/** As for member operations, an organization that has an owner keeps at least one. */
function requireOwnerLeft(
  planner: Planner,
  steps: readonly { path: string; step: MemberStep }[],
  stored: readonly MemberRecord[],
): void {
  const isOwner = ({ role, status }: Pick<MemberRecord, 'role' | 'status'>) =>
    role === 'owner' && status === 'active'
  const written = new Set(steps.map(({ step }) => step.after.userId))
  const others = stored.filter(({ userId }) => !written.has(userId))
  if (steps.some(({ step }) => isOwner(step.after)) || others.some(isOwner)) return
  for (const { path, step } of steps) {
    if (step.before && isOwner(step.before)) {
      planner.problems.add(path, 'would leave the organization without an active owner')
    }
  }
}

interface NewPassword {
  password: string
  minted: boolean
  passwordHash: string
}

const created = new KeptResults<NewPassword>()
const verified = new KeptResults<boolean>()

function newPassword(passwords: PasswordHashes, member: BundleMember): Promise<NewPassword> {
  return created.of(member, '', async () => {
    const { password = randomBytes(15).toString('base64url') } = member
    const passwordHash = await passwords.hash(password)
    return { password, minted: member.password === undefined, passwordHash }
  })
}

function isPassword(passwords: PasswordHashes, member: BundleMember, hash: string): Promise<boolean> {
  return verified.of(member, hash, () => passwords.matches(member.password ?? '', hash))
}
