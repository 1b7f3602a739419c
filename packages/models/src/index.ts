export { type ChatModelsOptions, createChatModels } from './create-chat-models.ts'
export {
  listProviderModels,
  listsModels,
  ModelListError,
  type OfferedModel,
} from './discovery/list-provider-models.ts'
export { createEmbeddingModels, type EmbeddingModelsOptions } from './embeddings/create-embedding-models.ts'
export type {
  ConnectionField,
  ConnectionInput,
  ConnectionProblem,
  ProviderDescription,
} from './provider/provider.ts'
export {
  destinationOf,
  headersWithoutValue,
  withoutHeaderValues,
  withStoredHeaders,
} from './registry/header-values.ts'
export {
  providerDescription,
  providerDescriptions,
  unusedParameters,
} from './registry/provider-descriptions.ts'
export { validateConnection } from './registry/validate-connection.ts'
export { createRerankingModels } from './reranking/create-reranking-models.ts'
