import {
  ApiKeyId,
  checkedId,
  DomainError,
  type FieldError,
  type IdText,
  invalidRequest,
  momentOf,
  type NewId,
  type OrganizationId,
} from '@troupe/contract'
import type { ApiKey, CreateApiKeyBody, NewApiKey, UpdateApiKeyBody } from '@troupe/contract/builder'
import { hashApiKeySecret, mintApiKeySecret, secretHint } from '@troupe/secrets'
import type { ApiKeyRecord, Database, Readers, Transaction, WrittenApiKey } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditedKey } from '../audit/audited-settings.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { askedProject } from '../changes/asked-project.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { Unchanged } from '../handlers/handler.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { findApiKey, isInForce, showApiKey } from './find-api-key.ts'

/** Dependencies of the operations. */
export interface ChangeApiKeyParts {
  database: Pick<Database, 'read' | 'transaction'>
  configChanges: ConfigChanges
  newId: NewId
  now: () => number
}

/**
 * Creates a key. Its secret is only in this response: the database stores its hash.
 *
 * @throws DomainError `validation_error` (an invalid name or end), `project_not_found`, `id_taken`
 */
export async function createApiKey(
  parts: ChangeApiKeyParts,
  { organizationId, userId: createdBy, actor }: BuilderCaller,
  { id: given, name, projectId = null, rpm = null, expiresAt = null }: CreateApiKeyBody,
): Promise<NewApiKey | Unchanged<NewApiKey>> {
  const { database, configChanges, newId, now } = parts
  const id: ApiKeyId = given === undefined ? newId(ApiKeyId) : checkedId(ApiKeyId, given.toLowerCase())
  const secret = mintApiKeySecret()
  const created = await database.transaction(async ({ read, write }) => {
    // Of two requests with one id, or one name, the second finds the key of the first.
    await write.organizations.lock(organizationId)
    if (given !== undefined && (await read.builder.apiKeys.byId(organizationId, id))) {
      return new Unchanged({ apiKey: await showApiKey(read, organizationId, id), secret: null })
    }
    const project = await askedProject(read, organizationId, projectId)
    await requireUsable(read, { organizationId, id, name, expiresAt, now: now() })
    const record: WrittenApiKey = {
      id,
      organizationId,
      projectId: project,
      name,
      secretHash: hashApiKeySecret(secret),
      hint: secretHint(secret),
      rpm,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      revokedAt: null,
      createdBy,
    }
    await namingTaken(write.apiKeys.insert(record))
    await auditKey(write, actor, 'created', null, record)
    return { apiKey: await showApiKey(read, organizationId, id), secret }
  })
  configChanges.committed(organizationId)
  return created
}

/** @throws DomainError `api_key_not_found`, `validation_error`, or `invalid_state` for a revoked key */
export async function updateApiKey(
  { database, configChanges, now }: ChangeApiKeyParts,
  { organizationId, actor }: BuilderCaller,
  apiKeyId: IdText<ApiKeyId>,
  { name, rpm, expiresAt }: UpdateApiKeyBody,
): Promise<ApiKey> {
  const updated = await database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const { organizationRpm: _, ...before } = await findApiKey(read, organizationId, apiKeyId)
    if (before.revokedAt !== null) throw keyOver('The key is revoked. Create a new one.')
    requireShownName(name, before)
    const { id } = before
    // An expired key becomes active again under its name, which another one may have taken in the meantime.
    const asked = { organizationId, id, name: name ?? before.name, expiresAt: expiresAt ?? null }
    await requireUsable(read, { ...asked, now: now() })
    const end = expiresAt == null ? null : new Date(expiresAt)
    const after: WrittenApiKey = {
      ...before,
      name: name ?? before.name,
      rpm: rpm === undefined ? before.rpm : rpm,
      expiresAt: expiresAt === undefined ? before.expiresAt : end,
    }
    await write.apiKeys.update(after)
    await auditKey(write, actor, 'updated', before, after)
    return showApiKey(read, organizationId, id)
  })
  configChanges.committed(organizationId)
  return updated
}

/**
 * Revokes a key: its next request is refused, in every process. Revoking again changes nothing.
 *
 * @throws DomainError `api_key_not_found`
 */
export async function revokeApiKey(
  { database, configChanges, now }: ChangeApiKeyParts,
  { organizationId, actor }: BuilderCaller,
  apiKeyId: IdText<ApiKeyId>,
): Promise<ApiKey> {
  const revoked = await database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const { organizationRpm: _, ...before } = await findApiKey(read, organizationId, apiKeyId)
    if (before.revokedAt === null) {
      const after = { ...before, revokedAt: new Date(now()) }
      await write.apiKeys.update(after)
      await auditKey(write, actor, 'revoked', before, after)
    }
    return showApiKey(read, organizationId, before.id)
  })
  configChanges.committed(organizationId)
  return revoked
}

/** Writes the audit row of a changed key. */
export async function auditKey(
  write: Transaction['write'],
  actor: BuilderCaller['actor'],
  verb: 'created' | 'updated' | 'rotated' | 'revoked',
  before: WrittenApiKey | null,
  after: WrittenApiKey,
): Promise<void> {
  await write.audit.append({
    organizationId: after.organizationId,
    projectId: after.projectId,
    actor,
    action: `api_key.${verb}`,
    entityKind: 'api_key',
    entityId: after.id,
    before: before && auditedKey(before),
    after: auditedKey(after),
  })
}

/** The key is revoked, expired or replaced, so it can no longer be changed. */
export function keyOver(message: string): DomainError {
  return new DomainError('invalid_state', message)
}

/** Faults of the end of an active key; null: never. */
export function endErrors(expiresAt: string | null, now: number): FieldError[] {
  if (expiresAt === null || (momentOf(expiresAt)?.getTime() ?? 0) > now) return []
  return [{ path: 'expiresAt', message: 'must be in the future, before the year 10000' }]
}

/** Checks name and end together. Bundles find keys by their names, so active keys have distinct names. */
async function requireUsable(
  { apiKeys }: Pick<Readers, 'apiKeys'>,
  key: {
    organizationId: OrganizationId
    id: ApiKeyRecord['id']
    name: string
    expiresAt: string | null
    now: number
  },
): Promise<void> {
  const errors: FieldError[] = []
  const others = await apiKeys.list(key.organizationId)
  if (others.some((one) => one.id !== key.id && one.name === key.name && isInForce(one, key.now))) {
    errors.push({ path: 'name', message: 'is the name of another key' })
  }
  errors.push(...endErrors(key.expiresAt, key.now))
  if (errors.length > 0) throw invalidRequest(errors)
}
