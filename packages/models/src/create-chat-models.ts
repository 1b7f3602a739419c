import type { ChatModels } from '@troupe/agents/ports'
import { type Clock, systemClock } from '@troupe/agents/ports'
import { CircuitBreaker } from './failover/circuit-breaker.ts'
import { createFailoverModel } from './failover/failover-model.ts'
import { ParameterRefusals } from './failover/parameter-refusals.ts'
import { StatelessModels } from './failover/refused-state.ts'
import { ThoughtHabits } from './failover/thought-habits.ts'
import { ProviderRegistry } from './registry/provider-registry.ts'

/** The external dependencies of the models. */
export interface ChatModelsOptions {
  /** Used for every request of every provider; in production the guarded fetch. */
  fetch: typeof globalThis.fetch
  clock?: Clock
  /** Uniform in [0, 1); spreads retries. `Math.random` when absent. */
  random?: () => number
}

/** The chat models of this process: one registry of providers, one set of circuit breakers. Loads no provider package. */
export function createChatModels({
  fetch,
  clock = systemClock,
  random = Math.random,
}: ChatModelsOptions): ChatModels {
  const registry = new ProviderRegistry({ fetch, clock })
  const circuits = new CircuitBreaker(clock)
  const refusals = new ParameterRefusals()
  const thoughtHabits = new ThoughtHabits()
  const stateless = new StatelessModels()
  return {
    open(request) {
      const run = { agentName: request.agentName }
      return createFailoverModel({
        ...request,
        clock,
        random,
        circuits,
        refusals,
        thoughtHabits,
        stateless,
        model: (target) => registry.model(target.connection, target.modelId, run),
      })
    },
  }
}
