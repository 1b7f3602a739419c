import type { CatalogModel } from '@troupe/agents/ports'
import type { BundleModel } from '@troupe/contract'

/** Tokens; the default for models without one. */
const DEFAULT_CONTEXT_LENGTH = 128_000
const DEFAULT_MAX_OUTPUT_TOKENS = 8_192

/** A model of an LLM configuration with defaults for missing values. */
export function toCatalogModel(model: BundleModel): CatalogModel {
  return {
    modelId: model.modelId,
    displayName: model.displayName ?? model.modelId,
    contextLength: model.contextLength ?? DEFAULT_CONTEXT_LENGTH,
    maxOutputTokens: model.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    toolChoice: model.toolChoice ?? true,
    inputUsdPerMillion: model.inputUsdPerMillion ?? null,
    cachedInputUsdPerMillion: model.cachedInputUsdPerMillion ?? null,
    cacheWriteUsdPerMillion: model.cacheWriteUsdPerMillion ?? null,
    outputUsdPerMillion: model.outputUsdPerMillion ?? null,
    ...(model.kind && { kind: model.kind }),
  }
}
