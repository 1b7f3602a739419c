import { bigint, boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, organizationId, projectId } from '../drizzle/column-types.ts'

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
    agentId: uuid('agent_id'),
    purpose: text('purpose').notNull(),
    llmConfigId: uuid('llm_config_id').notNull(),
    modelId: freeText('model_id').notNull(),
    attempt: integer('attempt').notNull(),
    isFallback: boolean('is_fallback').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    cachedTokens: integer('cached_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    reasoningTokens: integer('reasoning_tokens').notNull(),
    usageIncomplete: boolean('usage_incomplete').notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }),
    latencyMs: integer('latency_ms').notNull(),
    ttftMs: integer('ttft_ms'),
    ok: boolean('ok').notNull(),
    errorCode: text('error_code'),
    tag: freeText('tag'),
    userId: freeText('user_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('usage_records_time').on(t.organizationId, t.createdAt, t.id),
    index('usage_records_run').on(t.runId),
  ],
)
