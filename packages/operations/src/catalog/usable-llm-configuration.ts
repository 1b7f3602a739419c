import type { UsableLlmConfiguration } from '@troupe/agents/ports'
import type { SecretBox } from '@troupe/secrets'
import type { LlmConfigurationRecord } from '@troupe/storage'

/** Decrypts a configuration's credentials. @throws Error when that fails; its text holds no secret */
export function toUsable(record: LlmConfigurationRecord, box: SecretBox): UsableLlmConfiguration {
  const credentials: Record<string, string> = record.sealedCredentials
    ? JSON.parse(
        box.open(record.sealedCredentials, { purpose: 'llm_configuration.credentials', id: record.id }),
      )
    : {}
  return {
    id: record.id,
    name: record.name,
    projectId: record.projectId,
    isDefault: record.isDefault,
    createdAt: record.createdAt.getTime(),
    models: record.models,
    allowUnlistedModels: record.allowUnlistedModels,
    connection: {
      llmConfigId: record.id,
      version: record.version,
      providerId: record.providerId,
      baseUrl: record.baseUrl,
      credentials,
      settings: record.settings,
    },
  }
}
