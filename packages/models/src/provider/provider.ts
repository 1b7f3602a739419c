import type { EmbeddingModelV4, JSONObject, LanguageModelV4, RerankingModelV4 } from '@ai-sdk/provider'
import type { Clock, ProviderConnection } from '@troupe/agents/ports'
import type { ModelParameterName, ProviderId } from '@troupe/contract'

/** A credential or setting of a connection, as shown by the builder and checked by `validateConnection`. */
export interface ConnectionField {
  name: string
  label: string
  required: boolean
  /** Required without a base URL. */
  requiredWithoutBaseUrl?: true
  kind: 'string' | 'boolean' | 'headers' | 'choice' | 'integer'
  /** The minimum and maximum of an `integer`. */
  range?: readonly [least: number, greatest: number]
  /** Allowed values of a `choice`. */
  choices?: readonly string[]
  /** Must match the full value; `hint` describes it in words. */
  pattern?: RegExp
  hint?: string
}

/**
 * The protocol of a connection: OpenAI's Chat Completions and Responses, Anthropic's Messages, Gemini's
 * `generateContent`, Bedrock's Converse.
 */
export type WireProtocol = 'chat' | 'responses' | 'messages' | 'gemini' | 'converse'

/** The fields of a provider's connection. */
export interface ProviderDescription {
  id: ProviderId
  label: string
  /** The provider's offer, in one line for the builder's card. */
  summary: string
  baseUrl: 'required' | 'optional' | 'none'
  /** Secrets. */
  credentials: readonly ConnectionField[]
  /** Non-secret values. */
  settings: readonly ConnectionField[]
}

/** The part of a connection that users enter. */
export type ConnectionInput = Pick<ProviderConnection, 'baseUrl' | 'credentials' | 'settings'>

/** One reason why a connection cannot be used; `path` is `baseUrl`, `credentials.<name>` or `settings.<name>`. */
export interface ConnectionProblem {
  path: string
  message: string
}

/** The run that a model is created for. One object per run: the sandbox counts calls by its identity. */
export interface ModelContext {
  readonly agentName: string
}

/** Learned behaviour of an embedding model, for the life of the process. The provider may change it. */
export interface EmbeddingHabits {
  /** Whether its server accepts `encoding_format`. */
  acceptsFormat: boolean
}

/** Creates the models of one connection. */
export type ModelFactory = (modelId: string, run: ModelContext) => LanguageModelV4

/** Creates the embedding models of one connection. */
export type EmbeddingFactory = (modelId: string) => EmbeddingModelV4

/** Creates the rerank models of one connection; null for the id of a chat model. */
export type RerankingFactory = (modelId: string) => RerankingModelV4 | null

/** The external dependencies of a provider. */
export interface ProviderDependencies {
  fetch: typeof globalThis.fetch
  clock: Clock
}

/** The request for a provider's list of models. */
export interface ModelListRequest {
  url: string
  headers: Record<string, string>
}

/** Everything the registry knows about one provider. */
export interface ProviderDefinition {
  description: ProviderDescription
  /** The protocol of its chat models; null if they make no requests. */
  protocol(settings: ConnectionInput['settings']): WireProtocol | null
  /** Namespace under which the provider reads `providerOptions`. */
  optionsKey(settings: ConnectionInput['settings']): string
  /** Default options, which a model's `providerOptions` override. */
  defaultOptions(settings: ConnectionInput['settings']): JSONObject
  /** False when a model has per-run state and must not be cached. */
  sharedModels: boolean
  /** Whether one configuration serves models of several vendors, which refuse each other's state. */
  hasManyVendors: boolean
  /** null: a key cannot list the models that requests name. */
  modelList: ((connection: ProviderConnection) => ModelListRequest) | null
  /**
   * For the settings of a connection, the parameters that none of its models supports; absent: every parameter is
   * supported by some model.
   */
  unusedParameters?(settings: ConnectionInput['settings']): readonly ModelParameterName[]
  /** Cross-field rules. */
  check?(input: ConnectionInput): ConnectionProblem[]
  /**
   * Loads the provider's package and binds it to a connection. Base URL and key are always passed, even when empty:
   * the packages would otherwise fall back to environment variables of the operator.
   */
  load(connection: ProviderConnection, dependencies: ProviderDependencies): Promise<ModelFactory>
  /** The same for embedding models; absent for providers that have none. */
  loadEmbeddings?(
    connection: ProviderConnection,
    dependencies: ProviderDependencies & { habits: EmbeddingHabits },
  ): Promise<EmbeddingFactory>
  /** The same for rerank models. */
  loadReranking?(
    connection: ProviderConnection,
    dependencies: ProviderDependencies,
  ): Promise<RerankingFactory>
}
