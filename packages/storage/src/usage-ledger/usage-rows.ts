import type { UsageRecord } from '@troupe/agents/ports'
import { recordRow, storableJson } from '../sql/client/storable.ts'

const TYPES = {
  agent_id: 'uuid',
  prompt_id: 'uuid',
  member_run_id: 'uuid',
  purpose: 'text',
  llm_config_id: 'uuid',
  model_id: 'text',
  attempt: 'int',
  is_fallback: 'boolean',
  input_tokens: 'int',
  cached_tokens: 'int',
  cache_write_tokens: 'int',
  output_tokens: 'int',
  reasoning_tokens: 'int',
  usage_incomplete: 'boolean',
  cost_micros: 'bigint',
  latency_ms: 'int',
  ttft_ms: 'int',
  ok: 'boolean',
  error_code: 'text',
  provider_message: 'text',
  note: 'text',
} as const

type Row = Record<keyof typeof TYPES, string | number | boolean | null>

/** The ledger columns that come from an attempt; the others come from the run. */
export const USAGE_COLUMNS = Object.keys(TYPES).join(', ')

/**
 * The values of {@link USAGE_COLUMNS} from `u`. A provider's message may repeat a prompt, so it depends on
 * `keepsTexts`.
 *
 * @param keepsTexts SQL: whether the texts of the run are stored
 */
export function usageValues(keepsTexts: string): string {
  return Object.keys(TYPES)
    .map((name) => (name === 'provider_message' ? `case when ${keepsTexts} then u.${name} end` : `u.${name}`))
    .join(', ')
}

/** The ledger columns that come from the run. */
export const USAGE_RUN_COLUMNS =
  'organization_id, project_id, run_id, team_id, workflow_id, api_key_id, session_id'

/** The same as values of `run`: a row with `id`, {@link USAGE_SOURCE_COLUMNS}, `organization_id` and `project_id`. */
export function usageRunValues(run: string): string {
  return `${run}.organization_id, ${run}.project_id, ${run}.id, case when ${run}.kind = 'team' then ${run}.entity_id end,
    case when ${run}.workflow_run_id is not null then
      (select workflow_id from workflow_runs where workflow_runs.id = ${run}.workflow_run_id) end, ${run}.api_key_id,
    (select session_id from sessions where sessions.id = ${run}.session_row_id)`
}

/** The columns of `runs` that {@link usageRunValues} needs besides those of every statement. */
export const USAGE_SOURCE_COLUMNS = 'kind, entity_id, workflow_run_id, api_key_id, session_row_id'

/** `usageRows` unpacked: a FROM item whose columns are {@link USAGE_COLUMNS}. */
export function USAGE_RECORDSET(parameter: string): string {
  const columns = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`)
  return `json_to_recordset(${parameter}::json) as u (${columns.join(', ')})`
}

/** An integer within `int`: providers report fractions, and clocks measure them. */
export function integer(value: number): number {
  return Math.min(2_147_483_647, Math.round(value))
}

/** Attempts as JSON. */
export function usageRows(usage: readonly UsageRecord[]): string {
  return storableJson(
    usage.map((u) => {
      const row: Row = {
        agent_id: u.agentId,
        prompt_id: u.promptId ?? null,
        member_run_id: u.memberRunId,
        purpose: u.purpose,
        llm_config_id: u.llmConfigId,
        model_id: u.modelId,
        attempt: u.attempt,
        is_fallback: u.isFallback,
        input_tokens: integer(u.inputTokens),
        cached_tokens: integer(u.cachedTokens),
        cache_write_tokens: integer(u.cacheWriteTokens),
        output_tokens: integer(u.outputTokens),
        reasoning_tokens: integer(u.reasoningTokens),
        usage_incomplete: u.usageIncomplete,
        cost_micros: u.costMicros === null ? null : Math.round(u.costMicros),
        latency_ms: integer(u.latencyMs),
        ttft_ms: u.ttftMs === null ? null : integer(u.ttftMs),
        ok: u.ok,
        error_code: u.errorCode,
        provider_message: u.providerMessage,
        note: u.note,
      }
      return recordRow(row)
    }),
  )
}
