import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ProviderConnection } from '@troupe/agents/ports'
import { isModelId } from '@troupe/contract'
import type { ModelContext, ModelFactory, ProviderDependencies } from '../provider/provider.ts'
import { checkedDependencies } from './checked-dependencies.ts'
import { PROVIDERS } from './providers.ts'

const MAX_CONNECTIONS = 500
const MAX_MODELS = 100

interface Entry {
  version: number
  factory: ModelFactory | Promise<ModelFactory>
  models: Map<string, LanguageModelV4>
}

/**
 * Providers bound to connections, one per LLM configuration and version. Models are cached too: creating one compiles
 * validation schemas, which costs more than the rest of a call.
 */
export class ProviderRegistry {
  readonly #dependencies: ProviderDependencies
  readonly #entries = new Map<string, Entry>()

  constructor(dependencies: ProviderDependencies) {
    this.#dependencies = dependencies
  }

  /** The model of a target; synchronous once its provider package is loaded. Rejects when the provider refuses the connection. */
  model(
    connection: ProviderConnection,
    modelId: string,
    run: ModelContext,
  ): LanguageModelV4 | Promise<LanguageModelV4> {
    if (!isModelId(modelId)) return Promise.reject(new Error(`not a model id: ${JSON.stringify(modelId)}`))
    const entry = this.#entry(connection)
    const make = (factory: ModelFactory) => {
      if (!PROVIDERS[connection.providerId].sharedModels) return factory(modelId, run)
      let model = entry.models.get(modelId)
      if (model === undefined) {
        model = factory(modelId, run)
        if (entry.models.size < MAX_MODELS) entry.models.set(modelId, model)
      }
      return model
    }
    return entry.factory instanceof Promise ? entry.factory.then(make) : make(entry.factory)
  }

  #entry(connection: ProviderConnection): Entry {
    const id = connection.llmConfigId
    const known = this.#entries.get(id)
    if (known?.version === connection.version) return known
    this.#entries.delete(id)

    const loading = PROVIDERS[connection.providerId].load(
      connection,
      checkedDependencies(connection, this.#dependencies),
    )
    const entry: Entry = { version: connection.version, factory: loading, models: new Map() }
    this.#entries.set(id, entry)
    loading.then(
      (factory) => {
        entry.factory = factory
      },
      () => {
        if (this.#entries.get(id) === entry) this.#entries.delete(id)
      },
    )
    // Evict the oldest connection: rebinding a provider is cheap, because its package stays loaded.
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_CONNECTIONS && oldest !== undefined) this.#entries.delete(oldest)
    return entry
  }
}
