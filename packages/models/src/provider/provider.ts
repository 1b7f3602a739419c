import type { JSONObject, LanguageModelV4 } from '@ai-sdk/provider'
import type { Clock, ProviderConnection } from '@troupe/agents/ports'
import type { ProviderId } from '@troupe/contract'

/** A credential or setting of a connection, as the builder shows and `validateConnection` checks it. */
export interface ConnectionField {
  name: string
  label: string
  required: boolean
  kind: 'string' | 'boolean' | 'headers' | 'choice'
  /** Allowed values of a `choice`. */
  choices?: readonly string[]
  /** The whole value must match; `hint` says it in words. */
  pattern?: RegExp
  hint?: string
}

/** What a connection of a provider consists of. */
export interface ProviderDescription {
  id: ProviderId
  label: string
  baseUrl: 'required' | 'optional' | 'none'
  /** Secrets. */
  credentials: readonly ConnectionField[]
  /** Values that are no secret. */
  settings: readonly ConnectionField[]
}

/** The part of a connection that people enter. */
export type ConnectionInput = Pick<ProviderConnection, 'baseUrl' | 'credentials' | 'settings'>

/** One reason why a connection cannot be used; `path` is `baseUrl`, `credentials.<name>` or `settings.<name>`. */
export interface ConnectionProblem {
  path: string
  message: string
}

/** The run that a model is made for. Its identity is that of the run: the sandbox counts calls by it. */
export interface ModelContext {
  readonly agentName: string
}

/** Makes the models of one connection. */
export type ModelFactory = (modelId: string, run: ModelContext) => LanguageModelV4

/** What a provider may use of the outside world. */
export interface ProviderDependencies {
  fetch: typeof globalThis.fetch
  clock: Clock
}

/** Everything the registry knows about one provider. */
export interface ProviderDefinition {
  description: ProviderDescription
  /** Namespace under which the provider reads `providerOptions`. */
  optionsKey: string
  /** Options that hold unless a model's own `providerOptions` say otherwise. */
  defaultOptions: JSONObject
  /** False when a model holds state of its run and must not be cached. */
  sharedModels: boolean
  /** Rules across fields, beyond each field's own. */
  check?(input: ConnectionInput): ConnectionProblem[]
  /**
   * Loads the provider's package and binds it to a connection. Base URL and key are always passed, also when empty:
   * the packages would otherwise fall back to environment variables of the operator.
   */
  load(connection: ProviderConnection, dependencies: ProviderDependencies): Promise<ModelFactory>
}
