import { type AgentId, type RunId, typedKeys } from '@troupe/contract'
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
  const changed = typedKeys(counts).some((name) => attempt[name] !== counts[name])
  return { ...attempt, ...counts, usageIncomplete: attempt.usageIncomplete || changed }
}

/** Who made a call. */
export interface LedgerCaller {
  /** null: a managed lead. */
  agentId: AgentId | null
  /** null: the root run itself. */
  memberRunId: RunId | null
}

/** What earlier slices of a job have written already. */
export interface LedgerTotals {
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
}

/** One ledger for a root run: every attempt of every model call, failed ones and those of members included. */
export class Ledger {
  #unwritten: UsageRecord[] = []
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean

  constructor(written: LedgerTotals = { inputTokens: 0, outputTokens: 0, failoverUsed: false }) {
    this.inputTokens = count(written.inputTokens)
    this.outputTokens = count(written.outputTokens)
    this.failoverUsed = written.failoverUsed
  }

  /** The rows that no commit has taken. */
  get unwritten(): readonly UsageRecord[] {
    return this.#unwritten
  }

  /** Adds an attempt; `model` gives its prices. Returns its row. */
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
    if (attempt.ok && attempt.isFallback) this.failoverUsed = true
    return record
  }

  /** Takes the unwritten rows for a commit; {@link Ledger.giveBack} returns them when it fails. */
  take(): UsageRecord[] {
    const taken = this.#unwritten
    this.#unwritten = []
    return taken
  }

  giveBack(records: readonly UsageRecord[]): void {
    this.#unwritten = [...records, ...this.#unwritten]
  }
}
