import type { VoiceUpkeepStore } from '@troupe/voice'
import { number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

/** Sessions per statement; each may have hundreds of runs. */
const BATCH = 100

/** SQL: `s` is the session of runs of the voice session `v`. */
const SAME_CONVERSATION = `s.organization_id = v.organization_id and s.kind = 'agent' and s.entity_id = v.agent_id
      and s.session_id = v.id::text and not s.is_playground and s.project_id is not distinct from v.project_id`

/**
 * Oldest first, by organization. A locked session of runs is left for the next round: deletions lock it before its
 * voice session, which is locked first here.
 */
const ERASE = statement<'now'>('erase_expired_voice_sessions', (p) => {
  const cutoff = `${p.now}::timestamptz - make_interval(days => o.run_days)`
  return `
with expired as (
  select e.*, ${cutoff} as cutoff from organizations o, lateral (
    select v.id, v.organization_id, v.project_id, v.agent_id from voice_sessions v
    where v.organization_id = o.id and v.session_state in ('completed', 'failed') and v.erased_at is null
      and v.ended_at < ${cutoff}
      and not exists (select from sessions s where ${SAME_CONVERSATION} and (s.last_run_at >= ${cutoff} or exists (
        select from runs r left join workflow_runs w on w.id = r.workflow_run_id
        where r.session_row_id = s.id and (r.status in ('queued', 'running')
          or w.status in ('queued', 'running', 'paused', 'awaiting_approval')))))
    order by v.ended_at limit ${BATCH} for update skip locked
  ) e limit ${BATCH}
), conversation as (
  select s.id, v.id as voice_id from sessions s join expired v on ${SAME_CONVERSATION} and s.last_run_at < v.cutoff
  for update of s skip locked
), ready as (
  select v.id from expired v where exists (select from conversation c where c.voice_id = v.id)
    or not exists (select from sessions s where ${SAME_CONVERSATION})
), sentences_gone as (
  update usage_records u set provider_message = null from runs r, conversation c
  where r.session_row_id = c.id and u.run_id = r.id and u.provider_message is not null
), runs_gone as (
  delete from sessions s using conversation c where s.id = c.id
), turns_gone as (
  delete from voice_turns t using ready where t.session_id = ready.id
), erased as (
  update voice_sessions v set erased_at = ${p.now}::timestamptz, participant_identity = '', end_user_ref = null,
    to_e164 = null, from_e164 = null, failure_message = null
  from ready where v.id = ready.id
  returning v.id
)
select count(*)::int as rows from erased`
}).returning({ rows: number() })

/** Erases in batches until a batch is not full. Any number of processes may do this concurrently. */
export function eraseExpired(client: SqlClient): VoiceUpkeepStore['eraseExpired'] {
  return async (now) => {
    let rows: number
    do {
      const [row] = await client.query(...ERASE({ now: now.toISOString() }))
      rows = row?.rows ?? 0
    } while (rows === BATCH)
  }
}
