import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ProviderConnection } from '@troupe/agents/ports'
import { isModelId } from '@troupe/contract'
import { LRUCache } from 'lru-cache'
import type { ModelContext, ModelFactory, ProviderDependencies } from '../provider/provider.ts'
import { checkedDependencies } from './checked-dependencies.ts'
import { PROVIDERS } from './providers.ts'

const MAX_CONNECTIONS = 500
/** Maximum cached models of all connections together. */
const MAX_MODELS = 1_000
const KEPT_MS = 60 * 60_000

interface Entry {
  version: number
  factory: ModelFactory | Promise<ModelFactory>
}

/**
 * Providers bound to connections, one per LLM configuration and version. Models are cached too: creating one compiles
 * validation schemas, which costs more than the rest of a call.
 */
export class ProviderRegistry {
  readonly #dependencies: ProviderDependencies
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_CONNECTIONS, ttl: KEPT_MS })
  readonly #models = new LRUCache<string, LanguageModelV4>({ max: MAX_MODELS, ttl: KEPT_MS })

  constructor(dependencies: ProviderDependencies) {
    this.#dependencies = dependencies
  }

  /** The model of a target; synchronous once its provider package is loaded. Rejects if the provider refuses the connection. */
  model(
    connection: ProviderConnection,
    modelId: string,
    run: ModelContext,
  ): LanguageModelV4 | Promise<LanguageModelV4> {
    if (!isModelId(modelId)) return Promise.reject(new Error(`not a model id: ${JSON.stringify(modelId)}`))
    const entry = this.#entry(connection)
    const make = (factory: ModelFactory) => {
      if (!PROVIDERS[connection.providerId].sharedModels) return factory(modelId, run)
      const key = `${connection.llmConfigId} ${connection.version} ${modelId}`
      let model = this.#models.get(key)
      if (model === undefined) {
        model = factory(modelId, run)
        this.#models.set(key, model)
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
    const entry: Entry = { version: connection.version, factory: loading }
    this.#entries.set(id, entry)
    loading.then(
      (factory) => {
        entry.factory = factory
      },
      () => {
        if (this.#entries.peek(id) === entry) this.#entries.delete(id)
      },
    )
    return entry
  }
}
