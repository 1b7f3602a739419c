import {
  checkedId,
  invalidField,
  type NewId,
  OrganizationId,
  oneLine,
  propertyOf,
  UserId,
} from '@troupe/contract'
import type { CreateOrganizationBody, Organization } from '@troupe/contract/builder'
import type { Passwords } from '@troupe/secrets'
import type { Actor, Database, Transaction } from '@troupe/storage'
import { organizationEntry } from '../audit/audited-settings.ts'
import { createOnce } from '../changes/create-once.ts'
import { isUniqueViolation } from '../changes/unique-violation.ts'
import { Unchanged } from '../handlers/handler.ts'
import { type LimitCeilings, withinCeilings } from '../limits/limit-ceilings.ts'
import { auditedMember } from '../members/manage-members.ts'
import { DEFAULT_LIMITS } from '../organizations/default-limits.ts'
import { presentOrganization } from './present-organization.ts'

/** Dependencies of the operation. */
export interface CreateOrganizationParts {
  database: Pick<Database, 'transaction' | 'read'>
  passwords: Pick<Passwords, 'hash'>
  newId: NewId
  limitCeilings: LimitCeilings
}

/**
 * Creates an organization with the default limits, and its first owner. An existing account keeps its name and
 * password. A repeated id returns the current organization, even if its slug has changed.
 *
 * @throws DomainError `slug_taken`, `id_taken`, `validation_error` (a new account without a password)
 */
export async function createOrganization(
  parts: CreateOrganizationParts,
  actor: Actor,
  body: CreateOrganizationBody,
): Promise<Organization | Unchanged<Organization>> {
  const { organizations, builder } = parts.database.read
  const id: OrganizationId =
    body.id === undefined ? parts.newId(OrganizationId) : checkedId(OrganizationId, body.id.toLowerCase())
  const { value, created } = await createOnce(
    async () => {
      const found = body.id === undefined ? null : await organizations.byId(id)
      return found && presentOrganization(found, await builder.organizations.runsInFlight(id))
    },
    () => insertOnceMore(() => insertOrganization(parts, actor, { ...body, id })),
  )
  return created ? value : new Unchanged(value)
}

/** Violations caused by the request itself: a retry would fail again. */
const NAMED: readonly unknown[] = ['organizations_pkey', 'organizations_slug_unique']

/**
 * Every other violation is caused by the owner's account, which another request has just created: the second attempt
 * finds it.
 */
async function insertOnceMore<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    if (!isUniqueViolation(error) || NAMED.includes(propertyOf(error, 'constraint'))) throw error
    return insert()
  }
}

async function insertOrganization(
  { database, passwords, newId, limitCeilings }: CreateOrganizationParts,
  actor: Actor,
  { id, slug, name, owner }: CreateOrganizationBody & { id: OrganizationId },
): Promise<Organization> {
  const passwordHash = owner?.password === undefined ? null : await passwords.hash(owner.password)
  return database.transaction(async (tx) => {
    const record = { id, slug, name: oneLine(name), ...withinCeilings(limitCeilings, DEFAULT_LIMITS) }
    await tx.write.organizations.insert(record)
    await tx.write.audit.append(organizationEntry(actor, null, record))
    if (owner) await addOwner(tx, { organizationId: id, actor, newId }, owner, passwordHash)
    return presentOrganization({ ...record, version: 1 }, 0)
  })
}

async function addOwner(
  { read, write }: Transaction,
  { organizationId, actor, newId }: { organizationId: OrganizationId; actor: Actor; newId: NewId },
  { email, name }: NonNullable<CreateOrganizationBody['owner']>,
  passwordHash: string | null,
): Promise<void> {
  const account = await read.users.byEmail(email)
  const userId = account?.id ?? newId(UserId)
  if (!account) {
    if (passwordHash === null) {
      throw invalidField('owner.password', 'is required: the address has no account yet')
    }
    const address = email.toLowerCase()
    await write.users.insert({
      id: userId,
      name: oneLine(name),
      email: address,
      emailVerified: true,
      passwordHash,
    })
  }
  await write.members.put({ organizationId, userId, role: 'owner', status: 'active' })
  await write.audit.append({
    organizationId,
    projectId: null,
    actor,
    action: 'member.joined',
    entityKind: 'member',
    entityId: userId,
    before: null,
    after: auditedMember({ email, role: 'owner', status: 'active' }),
  })
}
