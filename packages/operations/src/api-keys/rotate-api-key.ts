import { ApiKeyId, type IdText, invalidRequest } from '@troupe/contract'
import { type ApiKey, type RotateApiKeyBody, successorEnd } from '@troupe/contract/builder'
import { hashApiKeySecret, mintApiKeySecret, secretHint } from '@troupe/secrets'
import type { WrittenApiKey } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditKey, type ChangeApiKeyParts, endErrors, keyOver } from './change-api-key.ts'
import { apiKeyNotFound, findApiKey, isInForce, presentApiKey, showApiKey } from './find-api-key.ts'

const HOUR_MS = 3_600_000
const LONGEST_NAME = 128

/**
 * Replaces a key: a new one takes its name, project and limit, and the old one, renamed, ends after the overlap (or
 * earlier, if it would have ended before). The new key ends at the requested time, else as defined by {@link
 * successorEnd}.
 *
 * @throws DomainError `api_key_not_found`, `validation_error` for an invalid end, or `invalid_state` for a key that is
 * revoked, has expired, or was already replaced
 */
export async function rotateApiKey(
  { database, configChanges, newId, now }: ChangeApiKeyParts,
  { organizationId, userId: createdBy, actor }: BuilderCaller,
  apiKeyId: IdText<ApiKeyId>,
  { overlapHours = 24, expiresAt: asked }: RotateApiKeyBody,
): Promise<{ apiKey: ApiKey; secret: string; previousExpiresAt: string }> {
  const secret = mintApiKeySecret()
  const id: ApiKeyId = newId(ApiKeyId)
  const rotated = await database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const { organizationRpm: _, ...before } = await findApiKey(read, organizationId, apiKeyId)
    if (!isInForce(before, now())) throw keyOver('The key has ended. Create a new one.')
    // A second successor would end with the overlap of this one.
    const row = await read.builder.apiKeys.byId(organizationId, before.id)
    if (!row) throw apiKeyNotFound()
    if (row.successorName !== null) {
      throw keyOver(`This key was replaced by “${row.successorName}”. Rotate that one.`)
    }
    const end = asked === undefined ? successorEnd(presentApiKey(row), now()) : chosenEnd(asked, now())
    const overlapEnd = now() + overlapHours * HOUR_MS
    const expiresAt = new Date(Math.min(overlapEnd, before.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY))
    const previous: WrittenApiKey = {
      ...before,
      name: nameOfReplaced(row, now()),
      expiresAt,
    }
    const next: WrittenApiKey = {
      ...before,
      id,
      expiresAt: end === null ? null : new Date(end),
      secretHash: hashApiKeySecret(secret),
      hint: secretHint(secret),
      createdBy,
      replacesId: before.id,
    }
    await write.apiKeys.update(previous)
    await write.apiKeys.insert(next)
    await auditKey(write, actor, 'rotated', before, previous)
    await auditKey(write, actor, 'created', null, next)
    const apiKey = await showApiKey(read, organizationId, id)
    return { apiKey, secret, previousExpiresAt: expiresAt.toISOString() }
  })
  configChanges.committed(organizationId)
  return rotated
}

function chosenEnd(asked: string | null, now: number): number | null {
  const errors = endErrors(asked, now)
  if (errors.length > 0) throw invalidRequest(errors)
  return asked === null ? null : Date.parse(asked)
}

/** Bundles find keys by name, so the new key keeps it. Two keys replaced within a minute differ by their hints. */
function nameOfReplaced({ name, hint }: { name: string; hint: string }, now: number): string {
  const suffix = ` (replaced ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')}, …${hint})`
  return `${name.slice(0, LONGEST_NAME - suffix.length).toWellFormed()}${suffix}`
}
