import type { AgentConfig } from '@troupe/contract'
import { RunFailure } from './run-failure.ts'

type BudgetConfig = AgentConfig['execution']['budget']

/** Output tokens reserved for a last answer. */
export const LAST_ANSWER_TOKENS = 1_500
/** Output tokens of a call whose model has no limit. */
export const MAX_OUTPUT_TOKENS = 4_096
/** The answer of a run when not even the last answer fits; also the reason of a member that could not work. */
export const BUDGET_SPENT = 'Stopped: the budget of this run is used up.'

/** There is not enough budget for a model call, and the run ends with its results so far. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'

  constructor() {
    super(BUDGET_SPENT)
  }
}

/** Spent or reserved amounts. */
export interface Spending {
  tokens: number
  /** Millionths of a US dollar. */
  costMicros: number
}

/** The maximum cost of a call. */
export interface CallEstimate {
  inputTokens: number
  outputTokens: number
  /** US dollars per million tokens; null if a model of the chain has no price. */
  prices: { input: number; output: number } | null
}

/** A call that fits. Disposing releases the reservation; the actual cost is then in the spending. */
export interface Reservation extends Disposable {
  /** The last call: without tools, of at most {@link LAST_ANSWER_TOKENS}. */
  isLast: boolean
}

const UNRESERVED: Reservation = { isLast: false, [Symbol.dispose]() {} }
const UNLIMITED: BudgetConfig = { max_total_tokens: null, max_cost_usd: null, on_exceeded: 'finalize' }

/**
 * The budget of a run or of one of its members, which also draws from the run's. Running calls count with their maximum
 * cost.
 */
export class RunBudget {
  readonly #config: BudgetConfig
  readonly #spending: () => Spending
  readonly #parent: RunBudget | null
  readonly #reserved: Spending = { tokens: 0, costMicros: 0 }

  constructor(
    config: BudgetConfig = UNLIMITED,
    spending: () => Spending = () => ({ tokens: 0, costMicros: 0 }),
    parent: RunBudget | null = null,
  ) {
    this.#config = config
    this.#spending = spending
    this.#parent = parent
  }

  /** The budget of a member, with its own limits. */
  ofMember(config: BudgetConfig, spending: () => Spending): RunBudget {
    return new RunBudget(config, spending, this)
  }

  /**
   * Room for a call, which is estimated only where there is a limit: an estimate reads the whole prompt. `mayEnd`: the
   * call may use the reserve for the last answer of the run.
   *
   * @throws BudgetSpent, or RunFailure if the run fails instead, or if a cost budget meets a model without prices.
   */
  reserve(estimateOf: () => CallEstimate, mayEnd: boolean): Reservation {
    if (!this.#limitsCalls) return UNRESERVED
    const estimate = estimateOf()
    if (this.#fits(estimate, LAST_ANSWER_TOKENS)) return this.#take(estimate, false)
    if (this.#failing) {
      const internal = 'not enough budget for a model call'
      throw new RunFailure('The budget of this run is used up.', internal, 'budget_exceeded')
    }
    const last = { ...estimate, outputTokens: Math.min(estimate.outputTokens, LAST_ANSWER_TOKENS) }
    if (this.#fitsLast(last, mayEnd)) return this.#take(last, true)
    throw new BudgetSpent()
  }

  get #failing(): boolean {
    const own = this.#config.on_exceeded === 'fail' && this.#isLimited
    if (own || this.#parent === null) return own
    return this.#parent.#failing
  }

  get #isLimited(): boolean {
    return this.#config.max_total_tokens !== null || this.#config.max_cost_usd !== null
  }

  /** Whether this budget, or one that it draws from, has a limit. */
  get #limitsCalls(): boolean {
    if (this.#isLimited || this.#parent === null) return this.#isLimited
    return this.#parent.#limitsCalls
  }

  /** Whether the call fits and leaves output tokens for the last answer, here and in the run. */
  #fits(estimate: CallEstimate, kept: number): boolean {
    return this.#holds(estimate, kept) && (this.#parent === null || this.#parent.#fits(estimate, kept))
  }

  #fitsLast(estimate: CallEstimate, mayEnd: boolean): boolean {
    const kept = mayEnd ? 0 : LAST_ANSWER_TOKENS
    if (this.#parent === null) return this.#holds(estimate, kept)
    return this.#holds(estimate, 0) && this.#parent.#fitsLast(estimate, mayEnd)
  }

  #holds({ inputTokens, outputTokens, prices }: CallEstimate, kept: number): boolean {
    const { max_total_tokens: maxTokens, max_cost_usd: maxUsd } = this.#config
    if (!this.#isLimited) return true
    const spent = this.#spending()
    const tokens = spent.tokens + this.#reserved.tokens + inputTokens + outputTokens + kept
    if (maxTokens !== null && tokens > maxTokens) return false
    if (maxUsd === null) return true
    const cost = costOf({ inputTokens, outputTokens: outputTokens + kept, prices })
    return spent.costMicros + this.#reserved.costMicros + cost <= maxUsd * 1_000_000
  }

  #take(estimate: CallEstimate, isLast: boolean): Reservation {
    const levels = this.#parent ? [this, this.#parent] : [this]
    const tokens = estimate.inputTokens + estimate.outputTokens
    const costMicros = estimate.prices ? costOf(estimate) : 0
    for (const level of levels) level.#add(tokens, costMicros)
    return {
      isLast,
      [Symbol.dispose]() {
        for (const level of levels) level.#add(-tokens, -costMicros)
      },
    }
  }

  #add(tokens: number, costMicros: number): void {
    this.#reserved.tokens += tokens
    this.#reserved.costMicros += costMicros
  }
}

/** Millionths of a US dollar: dollars per million tokens times tokens. */
function costOf({ inputTokens, outputTokens, prices }: CallEstimate): number {
  if (!prices) throw new RunFailure('A model of this run has no price, which its cost budget needs.')
  return inputTokens * prices.input + outputTokens * prices.output
}
