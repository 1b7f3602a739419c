interface ModelRef {
  llmConfigId: string
  modelId: string
}

/**
 * What a model is called among others: its id, with its configuration where another configuration has a model of the same id.
 *
 * @param configurationOf the name of a configuration; undefined: not known
 */
export function toldApart(
  { llmConfigId, modelId }: ModelRef,
  others: readonly ModelRef[],
  configurationOf: (llmConfigId: string) => string | undefined,
): string {
  const isShared = others.some((other) => other.modelId === modelId && other.llmConfigId !== llmConfigId)
  const configuration = isShared ? configurationOf(llmConfigId) : undefined
  return configuration === undefined ? modelId : `${modelId} · ${configuration}`
}
