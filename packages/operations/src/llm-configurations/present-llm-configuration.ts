import type { LlmConfiguration } from '@troupe/contract/builder'
import { providerDescription, unusedParameters, withoutHeaderValues } from '@troupe/models'
import { type SecretBox, secretHint } from '@troupe/secrets'
import type { LlmConfigurationRow } from '@troupe/storage'
import { openCredentials } from './credentials.ts'

/** A configuration as the builder shows it, without a secret. */
export function presentLlmConfiguration(box: SecretBox, row: LlmConfigurationRow): LlmConfiguration {
  const { id: llmConfigId, slug, name, projectId, projectName, providerId, status, baseUrl } = row
  return {
    llmConfigId,
    slug,
    name,
    projectId,
    projectName,
    providerId,
    status,
    default: row.isDefault,
    baseUrl,
    settings: withoutHeaderValues(providerId, row.settings),
    models: row.models.map(withoutNulls),
    allowUnlistedModels: row.allowUnlistedModels,
    unusedParameters: [...unusedParameters(row.providerId, row.settings)],
    credentialFields: credentialFields(box, row),
    usedBy: row.usedBy,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function credentialFields(box: SecretBox, row: LlmConfigurationRow): LlmConfiguration['credentialFields'] {
  const opened = openCredentials(box, row)
  const names = new Set([
    ...providerDescription(row.providerId).credentials.map(({ name }) => name),
    ...Object.keys(opened ?? row.credentialsSetAt),
  ])
  return [...names].map((name) => {
    const secret = opened?.[name]
    const setAt = row.credentialsSetAt[name] ?? null
    // Credentials that no key decrypts are still stored.
    const isSet = opened === null ? setAt !== null : secret !== undefined
    return { name, isSet, hint: secret === undefined ? '' : secretHint(secret), setAt: isSet ? setAt : null }
  })
}

/** A stored model has null for unknown values, which bundles omit. */
function withoutNulls({ modelId, ...model }: LlmConfigurationRow['models'][number]) {
  const known = Object.entries(model).filter(([, value]) => value !== null)
  return { modelId, ...Object.fromEntries(known) }
}
