export { type ChatModelsOptions, createChatModels } from './create-chat-models.ts'
export type {
  ConnectionField,
  ConnectionInput,
  ConnectionProblem,
  ProviderDescription,
} from './provider/provider.ts'
export { providerDescriptions } from './registry/providers.ts'
export { validateConnection } from './registry/validate-connection.ts'
export { createSandboxEmbeddingModel } from './sandbox/embedding-model.ts'
