import type { Scope } from '@troupe/agents/ports'
import type { OPERATIONS, ResultOf } from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/storage'

/** Every connected LLM configuration that the scope may see, without credentials. */
export async function listLlmProviders(
  visible: (scope: Scope) => Promise<LlmConfigurationRecord[]>,
  scope: Scope,
): Promise<ResultOf<(typeof OPERATIONS)['listLlmProviders']>> {
  const records = await visible(scope)
  return {
    data: records.map(({ id, name, providerId, status, models }) => ({
      id,
      name,
      providerId,
      status,
      availableModels: models.map(({ modelId, displayName, contextLength, maxOutputTokens }) => ({
        modelId,
        displayName,
        contextLength,
        maxOutputTokens,
      })),
    })),
  }
}
