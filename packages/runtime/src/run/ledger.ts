import type { CatalogModel } from '../ports/agent-catalog.ts'
import type { ModelAttempt } from '../ports/chat-models.ts'
import type { ModelPurpose, UsageRecord } from '../ports/run-store.ts'

/** The cost of an attempt in millionths of a US dollar (dollars per million tokens times tokens); null without prices. */
function costMicros(attempt: ModelAttempt, model: CatalogModel | null): number | null {
  if (!model || model.inputUsdPerMillion === null || model.outputUsdPerMillion === null) return null
  const cachedPrice = model.cachedInputUsdPerMillion ?? model.inputUsdPerMillion
  const fresh = Math.max(attempt.inputTokens - attempt.cachedTokens, 0)
  const cost =
    fresh * model.inputUsdPerMillion +
    attempt.cachedTokens * cachedPrice +
    attempt.outputTokens * model.outputUsdPerMillion
  return Math.round(cost)
}

/** Largest count that a ledger column holds. */
const MAX_TOKENS = 2_147_483_647

/** A provider may report anything: a count is a whole number from 0 on that can be stored. */
function count(reported: number): number {
  return Number.isFinite(reported) ? Math.min(Math.max(Math.round(reported), 0), MAX_TOKENS) : 0
}

/** The attempt with counts that can be stored; it says so when that changed them. */
function storable(attempt: ModelAttempt): ModelAttempt {
  const counts = {
    inputTokens: count(attempt.inputTokens),
    cachedTokens: count(attempt.cachedTokens),
    outputTokens: count(attempt.outputTokens),
    reasoningTokens: count(attempt.reasoningTokens),
  }
  const changed = Object.entries(counts).some(
    ([name, value]) => attempt[name as keyof typeof counts] !== value,
  )
  return { ...attempt, ...counts, usageIncomplete: attempt.usageIncomplete || changed }
}

/** One ledger for a root run: every attempt of every model call, failed ones included. */
export class Ledger {
  readonly records: UsageRecord[] = []
  inputTokens = 0
  outputTokens = 0
  failoverUsed = false

  /** Adds an attempt; `model` gives its prices. */
  add(reported: ModelAttempt, purpose: ModelPurpose, model: CatalogModel | null): void {
    const attempt = storable(reported)
    this.records.push({ ...attempt, purpose, costMicros: costMicros(attempt, model) })
    this.inputTokens = count(this.inputTokens + attempt.inputTokens)
    this.outputTokens = count(this.outputTokens + attempt.outputTokens)
    if (attempt.ok && attempt.isFallback) this.failoverUsed = true
  }
}
