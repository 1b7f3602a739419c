import type { PromptId } from '@troupe/contract'
import { bigint, boolean, date, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'

/**
 * The ledger. No foreign keys: it outlives the runs that retention deletes, and checking the organization
 * would lock its row for every call of every run.
 */
export const usageRecords = pgTable(
  'usage_records',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organizationId(),
    projectId: projectId(),
    /** The root run: the id that callers know. */
    runId: uuid('run_id').notNull(),
    /** The member's run that made the call; null for the root's own calls. */
    memberRunId: uuid('member_run_id'),
    /** The prompt, in `run_prompts` of the run; null if it is not kept. */
    promptId: uuid('prompt_id').$type<PromptId>(),
    agentId: uuid('agent_id'),
    /** The team that the run belongs to. */
    teamId: uuid('team_id'),
    /** The workflow that the run belongs to, or whose node started it. */
    workflowId: uuid('workflow_id'),
    /** The key that started the run. */
    apiKeyId: uuid('api_key_id'),
    /** The session of the run; for a voice turn, the voice session. */
    sessionId: freeText('session_id'),
    purpose: text('purpose').notNull(),
    llmConfigId: uuid('llm_config_id').notNull(),
    modelId: freeText('model_id').notNull(),
    attempt: integer('attempt').notNull(),
    isFallback: boolean('is_fallback').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    cachedTokens: integer('cached_tokens').notNull(),
    cacheWriteTokens: integer('cache_write_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull(),
    reasoningTokens: integer('reasoning_tokens').notNull(),
    usageIncomplete: boolean('usage_incomplete').notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }),
    latencyMs: integer('latency_ms').notNull(),
    ttftMs: integer('ttft_ms'),
    ok: boolean('ok').notNull(),
    errorCode: text('error_code'),
    /** The provider's own sentence, without secrets; null for runs whose texts are not stored. */
    providerMessage: freeText('provider_message'),
    /** An anomaly of an accepted answer. */
    note: text('note'),
    tag: freeText('tag'),
    userId: freeText('user_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('usage_records_time').on(t.organizationId, t.createdAt, t.id),
    index('usage_records_run').on(t.runId),
  ],
)

/** The columns of every total of the ledger. */
const totals = () => ({
  organizationId: organizationId(),
  projectId: projectId(),
  dimension: text('dimension').notNull(),
  /** null: ledger rows without a value of this dimension. */
  key: freeText('key'),
  /** Runs whose first call with this key was in this period. */
  runs: bigint('runs', { mode: 'number' }).notNull(),
  modelCalls: bigint('model_calls', { mode: 'number' }).notNull(),
  /** Those of `modelCalls` that failed. */
  failedCalls: bigint('failed_calls', { mode: 'number' }).notNull(),
  inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
  cachedTokens: bigint('cached_tokens', { mode: 'number' }).notNull(),
  outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
  /** null if no call had a price. */
  costMicros: bigint('cost_micros', { mode: 'number' }),
})

/**
 * Sums of the ledger by day (UTC), one row for each value of each dimension, so that a report costs the same however
 * many calls a day had. `roll_up_usage` adds every ledger row exactly once.
 */
export const usageTotals = pgTable('usage_totals', { ...totals(), day: date('day').notNull() }, (t) => [
  unique('usage_totals_identity')
    .on(t.organizationId, t.dimension, t.day, t.projectId, t.key)
    .nullsNotDistinct(),
])

/**
 * The same sums by calendar month (UTC) for every dimension but `day`: a report over a year reads twelve rows for a user
 * instead of one for each day. Always the sums of the daily totals, as one statement writes both.
 */
export const usageMonths = pgTable(
  'usage_months',
  {
    ...totals(),
    /** Its first day. */
    month: date('month').notNull(),
  },
  (t) => [
    unique('usage_months_identity')
      .on(t.organizationId, t.dimension, t.month, t.projectId, t.key)
      .nullsNotDistinct(),
  ],
)

/** One row: ledger rows written before `rolled_until` are in the totals, all others are not. */
export const usageRollup = pgTable('usage_rollup', {
  isOnly: boolean('is_only').primaryKey(),
  rolledUntil: moment('rolled_until').notNull(),
})
