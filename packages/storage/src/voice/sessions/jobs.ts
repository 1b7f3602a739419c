import type { VoiceSessionId } from '@troupe/contract'
import type { VoiceSessionStore } from '@troupe/voice'
import { number, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { SESSION_COLUMNS, SESSION_ROW } from './columns.ts'

const REDISPATCH = statement<
  'organizationId' | 'id' | 'formerAttempt' | 'jobTokenHash' | 'at' | 'loss' | 'unready'
>(
  'redispatch_voice_session',
  (p) => `
update voice_sessions v set dispatch_attempt = dispatch_attempt + 1, job_token_hash = ${p.jobTokenHash},
  dispatched_at = ${p.at}::timestamptz, session_token_hash = null, worker_id = null, worker_seen_at = null,
  agent_ready_at = null, agent_left_at = null, losses = losses + ${p.loss}::int, unready = unready + ${p.unready}::int
where v.organization_id = ${p.organizationId}::uuid and v.id = ${p.id}::uuid
  and v.dispatch_attempt = ${p.formerAttempt}::int and v.session_state in ('waiting', 'dialing', 'active')
returning ${SESSION_COLUMNS}`,
).returning(SESSION_ROW)

const DISPATCHED = statement<'organizationId' | 'id' | 'attempt' | 'dispatchId'>(
  'voice_session_dispatched',
  (p) => `
update voice_sessions set dispatch_id = ${p.dispatchId}
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and dispatch_attempt = ${p.attempt}::int`,
)

const ACCEPTED = statement<'organizationId' | 'id' | 'workerId' | 'at'>(
  'accept_voice_session',
  (p) => `
update voice_sessions set worker_id = ${p.workerId}, worker_seen_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
  and session_state in ('starting', 'waiting', 'dialing', 'active') and job_token_hash is not null
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

/**
 * A token of an earlier dispatch matches nothing, so a late job ends by itself. The row is read by its id only: the
 * worker has no organization, and the token is the authorisation.
 */
const CLAIM = statement<'id' | 'jobTokenHash' | 'sessionTokenHash' | 'at'>(
  'claim_voice_session',
  (p) => `
update voice_sessions v set job_token_hash = null, session_token_hash = ${p.sessionTokenHash},
  worker_seen_at = ${p.at}::timestamptz
where v.id = ${p.id}::uuid and v.job_token_hash = ${p.jobTokenHash}
  and v.session_state in ('starting', 'waiting', 'dialing', 'active')
returning ${SESSION_COLUMNS}`,
).returning(SESSION_ROW)

const IS_OPEN = statement<'id'>(
  'is_voice_session_open',
  (p) => `
select 1 as found from voice_sessions
where id = ${p.id}::uuid and session_state in ('starting', 'waiting', 'dialing', 'active')`,
).returning({ found: number() })

const READY = statement<'organizationId' | 'id' | 'at'>(
  'voice_agent_ready',
  (p) => `
update voice_sessions set agent_ready_at = ${p.at}::timestamptz,
  first_ready_at = coalesce(first_ready_at, ${p.at}::timestamptz), agent_left_at = null, unready = 0,
  worker_seen_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
  and session_state in ('starting', 'waiting', 'dialing', 'active')
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

const FAILED_OVER = statement<'organizationId' | 'id'>(
  'voice_provider_failed_over',
  (p) => `
update voice_sessions set failover_used = true
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid`,
)

type Jobs = Pick<
  VoiceSessionStore,
  'redispatch' | 'dispatched' | 'accepted' | 'claim' | 'ready' | 'failedOver'
>

/** The assignment of sessions to workers. */
export function sessionJobs(client: SqlClient): Jobs {
  return {
    async redispatch(key, { formerAttempt, jobTokenHash, at, cause }) {
      const counted = { loss: Number(cause === 'loss'), unready: Number(cause === 'unready') }
      const values = { ...key, formerAttempt, jobTokenHash, at: at.toISOString(), ...counted }
      const [row] = await client.query(...REDISPATCH(values))
      return row ?? null
    },
    async dispatched(key, attempt, dispatchId) {
      await client.query(...DISPATCHED({ ...key, attempt, dispatchId }))
    },
    async accepted(key, workerId, at) {
      const rows = await client.query(...ACCEPTED({ ...key, workerId, at: at.toISOString() }))
      return rows.length > 0
    },
    async claim(id, { jobTokenHash, sessionTokenHash, at }) {
      const values = { id, jobTokenHash, sessionTokenHash, at: at.toISOString() }
      const [session] = await client.query(...CLAIM(values))
      if (session) return { status: 'claimed', session }
      const open = await client.query(...IS_OPEN({ id }))
      return { status: open.length > 0 ? 'used' : 'over' }
    },
    async ready(key, at) {
      const rows = await client.query(...READY({ ...key, at: at.toISOString() }))
      return rows.length > 0
    },
    async failedOver(key) {
      await client.query(...FAILED_OVER(key))
    },
  }
}
