import type { CatalogModel } from '../ports/agent-catalog.ts'
import type { ModelAttempt } from '../ports/chat-models.ts'
import type { ModelPurpose, UsageRecord } from '../ports/run-store.ts'

/** The cost of an attempt in millionths of a US dollar (dollars per million tokens times tokens); null without prices. */
function costMicros(attempt: ModelAttempt, model: CatalogModel | null): number | null {
  if (!model || model.inputUsdPerMillion === null || model.outputUsdPerMillion === null) return null
  const cachedPrice = model.cachedInputUsdPerMillion ?? model.inputUsdPerMillion
  const fresh = attempt.inputTokens - attempt.cachedTokens
  const cost =
    fresh * model.inputUsdPerMillion +
    attempt.cachedTokens * cachedPrice +
    attempt.outputTokens * model.outputUsdPerMillion
  return Math.round(cost)
}

/** One ledger for a root run: every attempt of every model call, failed ones included. */
export class Ledger {
  readonly records: UsageRecord[] = []
  inputTokens = 0
  outputTokens = 0
  failoverUsed = false

  /** Adds an attempt; `model` gives its prices. */
  add(attempt: ModelAttempt, purpose: ModelPurpose, model: CatalogModel | null): void {
    this.records.push({ ...attempt, purpose, costMicros: costMicros(attempt, model) })
    this.inputTokens += attempt.inputTokens
    this.outputTokens += attempt.outputTokens
    if (attempt.ok && attempt.isFallback) this.failoverUsed = true
  }
}
