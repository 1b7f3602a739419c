import type { StoredPrompts } from '@troupe/agents/ports'
import { storableJson } from '../../sql/client/storable.ts'

/**
 * Inserts the prompts of models under the row of `run`, a preceding query that returns `id` and `organization_id`;
 * nothing if the parameter is null. Idempotent: the same part is written once.
 */
export function PROMPTS(run: string, parameter: string): string {
  return `
prompts as (
  insert into run_prompts (run_id, series, part, organization_id, content)
  select r.id, (given.value ->> 'series')::uuid, (given.value ->> 'part')::int, r.organization_id, given.value
  from ${run} r, (select ${parameter}::json as value) given
  where given.value is not null
  on conflict do nothing
)`
}

/** Prompts as the parameter of {@link PROMPTS}. */
export function promptRows(prompts: StoredPrompts | null | undefined): string | null {
  return prompts ? storableJson(prompts) : null
}
