import type { UsageDimension } from '@troupe/contract'

/** The key of a ledger row `u` in each dimension, as SQL. */
export const LEDGER_KEYS: Record<UsageDimension, string> = {
  day: `(u.created_at at time zone 'UTC')::date::text`,
  agent: 'u.agent_id::text',
  team: 'u.team_id::text',
  workflow: 'u.workflow_id::text',
  model: 'u.model_id',
  key: 'u.api_key_id::text',
  user: `nullif(u.user_id, '')`,
  tag: 'u.tag',
}

/** Sums of ledger rows `u`. */
export const LEDGER_SUMS = `count(*) as model_calls, sum(u.input_tokens::bigint)::bigint as input_tokens,
  sum(u.cached_tokens::bigint)::bigint as cached_tokens, sum(u.output_tokens::bigint)::bigint as output_tokens,
  sum(u.cost_micros)::bigint as cost_micros`
