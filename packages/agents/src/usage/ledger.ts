import { type AgentId, type ModelPurpose, type PromptId, type RunId, typedKeys } from '@troupe/contract'
import type { CatalogModel } from '../ports/agent-catalog.ts'
import type { ModelAttempt } from '../ports/chat-models.ts'
import type { UsageRecord } from '../ports/run-store.ts'

/** https://docs.claude.com/en/docs/build-with-claude/prompt-caching#pricing, for caches of five minutes. */
const CACHE_WRITE_FACTOR = 1.25
/** Relative to the price of a write for five minutes: writes for an hour cost twice the input. */
const HOUR_FACTOR = 2 / CACHE_WRITE_FACTOR

/** The cost of an attempt in millionths of a US dollar (dollars per million tokens times tokens); null without prices. */
function costMicros(attempt: ModelAttempt, model: CatalogModel | null): number | null {
  if (!model || model.inputUsdPerMillion === null || model.outputUsdPerMillion === null) return null
  const cachedPrice = model.cachedInputUsdPerMillion ?? model.inputUsdPerMillion
  const writePrice = model.cacheWriteUsdPerMillion ?? model.inputUsdPerMillion * CACHE_WRITE_FACTOR
  const hourTokens = Math.min(attempt.cacheWriteHourTokens ?? 0, attempt.cacheWriteTokens)
  const fresh = Math.max(attempt.inputTokens - attempt.cachedTokens - attempt.cacheWriteTokens, 0)
  const cost =
    fresh * model.inputUsdPerMillion +
    attempt.cachedTokens * cachedPrice +
    (attempt.cacheWriteTokens + hourTokens * (HOUR_FACTOR - 1)) * writePrice +
    attempt.outputTokens * model.outputUsdPerMillion
  return Math.round(cost)
}

/** The largest count that fits a ledger column. */
const MAX_TOKENS = 2_147_483_647

/** Provider counts are untrusted: converts one to a non-negative integer that can be stored. */
function count(reported: number): number {
  return Number.isFinite(reported) ? Math.min(Math.max(Math.round(reported), 0), MAX_TOKENS) : 0
}

/** The attempt with storable counts, marked when they were changed. */
function storable(attempt: ModelAttempt): ModelAttempt {
  const counts = {
    inputTokens: count(attempt.inputTokens),
    cachedTokens: count(attempt.cachedTokens),
    cacheWriteTokens: count(attempt.cacheWriteTokens),
    ...(attempt.cacheWriteHourTokens && { cacheWriteHourTokens: count(attempt.cacheWriteHourTokens) }),
    outputTokens: count(attempt.outputTokens),
    reasoningTokens: count(attempt.reasoningTokens),
  }
  const changed = typedKeys(counts).some((name) => attempt[name] !== counts[name])
  return { ...attempt, ...counts, usageIncomplete: attempt.usageIncomplete || changed }
}

/** The caller of a model. */
export interface LedgerCaller {
  /** null: a managed lead. */
  agentId: AgentId | null
  /** null: the root run itself. */
  memberRunId: RunId | null
  /** The prompt; absent or null: it is not kept. */
  promptId?: PromptId | null
}

/** The ledger totals written by earlier slices of a job. */
export interface LedgerTotals {
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  /** Millionths of a US dollar; 0 for attempts without a price. */
  costMicros: number
}

const NOTHING: LedgerTotals = { inputTokens: 0, outputTokens: 0, failoverUsed: false, costMicros: 0 }

/**
 * The ledger of a root run: every attempt of every model call, including failed ones and those of members.
 */
export class Ledger {
  #unwritten: UsageRecord[] = []
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  costMicros: number

  constructor(written: LedgerTotals = NOTHING) {
    this.costMicros = written.costMicros
    this.inputTokens = count(written.inputTokens)
    this.outputTokens = count(written.outputTokens)
    this.failoverUsed = written.failoverUsed
  }

  /** The rows not yet taken by a commit. */
  get unwritten(): readonly UsageRecord[] {
    return this.#unwritten
  }

  /** Adds an attempt, priced by `model`. Returns its row. */
  add(
    reported: ModelAttempt,
    purpose: ModelPurpose,
    model: CatalogModel | null,
    caller: LedgerCaller,
  ): UsageRecord {
    const attempt = storable(reported)
    const record = { ...attempt, ...caller, purpose, costMicros: costMicros(attempt, model) }
    this.#unwritten.push(record)
    this.inputTokens = count(this.inputTokens + attempt.inputTokens)
    this.outputTokens = count(this.outputTokens + attempt.outputTokens)
    this.costMicros += record.costMicros ?? 0
    if (attempt.ok && attempt.isFallback) this.failoverUsed = true
    return record
  }

  /** Takes the unwritten rows for a commit; {@link Ledger.giveBack} returns them if it fails. */
  take(): UsageRecord[] {
    const taken = this.#unwritten
    this.#unwritten = []
    return taken
  }

  giveBack(records: readonly UsageRecord[]): void {
    this.#unwritten = [...records, ...this.#unwritten]
  }
}
