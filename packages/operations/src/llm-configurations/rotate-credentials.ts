import type { SecretPlace } from '@troupe/secrets'
import type { Actor, Database } from '@troupe/storage'
import type { ConfigChanges } from '../catalog/config-changes.ts'

/** Reseals secrets that an older key sealed. */
export interface Resealer {
  isCurrent(envelope: string): boolean
  reseal(envelope: string, place: SecretPlace): string
}

/** Dependencies of the operation. */
export interface RotateCredentialsParts {
  database: Pick<Database, 'read' | 'transaction'>
  box: Resealer
  configChanges: ConfigChanges
}

/**
 * Reseals every stored secret (credentials, tokens, signing secrets) with the current key, one organization per
 * transaction. Idempotent; afterwards the older keys may be removed.
 *
 * @returns the number of resealed secrets
 * @throws Error when an envelope cannot be opened with any key; earlier organizations stay resealed
 */
export async function rotateCredentials(
  { database, box, configChanges }: RotateCredentialsParts,
  actor: Actor,
): Promise<number> {
  let rotated = 0
  for (const { id: organizationId } of await database.read.organizations.all()) {
    const resealed = await database.transaction(async ({ read, write }) => {
      const stale = (await read.llmConfigurations.list(organizationId)).filter(
        ({ sealedCredentials }) => sealedCredentials !== null && !box.isCurrent(sealedCredentials),
      )
      for (const record of stale) {
        const place = { purpose: 'llm_configuration.credentials', id: record.id } as const
        const sealedCredentials = box.reseal(record.sealedCredentials ?? '', place)
        await write.llmConfigurations.update({ ...record, sealedCredentials })
        await write.audit.append({
          organizationId,
          projectId: record.projectId,
          actor,
          action: 'llm_configuration.credentials_rotated',
          entityKind: 'llm_configuration',
          entityId: record.id,
          before: null,
          after: null,
        })
      }
      const secrets = (await read.sealedSecrets.list(organizationId)).filter(
        ({ envelope }) => !box.isCurrent(envelope),
      )
      for (const secret of secrets) {
        await write.sealedSecrets.replace(organizationId, secret, box.reseal(secret.envelope, secret))
      }
      return stale.length + secrets.length
    })
    if (resealed > 0) configChanges.committed(organizationId)
    rotated += resealed
  }
  return rotated
}
