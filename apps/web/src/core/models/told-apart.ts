import type { IdText, LlmConfigId } from '@troupe/contract'

interface ModelRef {
  llmConfigId: IdText<LlmConfigId>
  modelId: string
}

/**
 * The name of a model among others: its id, with its configuration if another one has the same model id.
 *
 * @param configurationOf the name of a configuration; undefined: unknown
 */
export function toldApart(
  { llmConfigId, modelId }: ModelRef,
  others: readonly ModelRef[],
  configurationOf: (llmConfigId: IdText<LlmConfigId>) => string | undefined,
): string {
  const isShared = others.some((other) => other.modelId === modelId && other.llmConfigId !== llmConfigId)
  const configuration = isShared ? configurationOf(llmConfigId) : undefined
  return configuration === undefined ? modelId : `${modelId} · ${configuration}`
}
