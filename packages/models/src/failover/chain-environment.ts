import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Clock, ModelTarget, OpenChain } from '@troupe/agents/ports'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { ParameterRefusals } from './parameter-refusals.ts'
import type { StatelessModels } from './refused-state.ts'
import type { ThoughtHabits } from './thought-habits.ts'

/** State shared by the calls of one opened chain. */
export interface ChainEnvironment extends OpenChain {
  clock: Clock
  /** Uniform in [0, 1), for the jitter between attempts. */
  random(): number
  /** Shared by the process. */
  circuits: CircuitBreaker
  /** Shared by the process. */
  refusals: ParameterRefusals
  /** Shared by the process. */
  thoughtHabits: ThoughtHabits
  /** Shared by the process. */
  stateless: StatelessModels
  /** The provider's model of a target. */
  model(target: ModelTarget): LanguageModelV4 | Promise<LanguageModelV4>
}
