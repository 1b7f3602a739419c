import type { OrganizationId } from '@troupe/contract'
import type { UnpricedConfiguration } from '@troupe/contract/builder'
import type { Readers } from '@troupe/storage'

const MOST_MODELS = 5

/** The connected configurations that have models without a price, oldest first. */
export async function unpricedConfigurations(
  { llmConfigurations }: Pick<Readers, 'llmConfigurations'>,
  organizationId: OrganizationId,
): Promise<UnpricedConfiguration[]> {
  const connected = await llmConfigurations.visible({ organizationId, projectId: null })
  return connected.flatMap(({ id, name, projectId, models }) => {
    // `model_price_missing` does not require a price of cached input.
    const unpriced = models.filter(
      ({ inputUsdPerMillion, outputUsdPerMillion }) =>
        inputUsdPerMillion === null || outputUsdPerMillion === null,
    )
    if (unpriced.length === 0) return []
    const modelIds = unpriced.slice(0, MOST_MODELS).map(({ modelId }) => modelId)
    return [{ llmConfigId: id, name, projectId, modelIds, count: unpriced.length }]
  })
}
