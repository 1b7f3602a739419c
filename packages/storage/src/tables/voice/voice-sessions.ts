import type {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  PhoneNumberId,
  PhoneTrunkId,
  VoiceConfigurationId,
  VoiceSessionId,
} from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { organizations } from '../tenants/organizations.ts'

/**
 * Voice sessions in the browser and outbound calls. A row in flight is the slot of its key or trunk, and its lease of
 * voice minutes; a terminal row never changes its state again. Times are the server's clock.
 */
export const voiceSessions = pgTable(
  'voice_sessions',
  {
    id: uuid('id').$type<VoiceSessionId>().primaryKey(),
    kind: text('kind', { enum: ['web', 'outbound_call'] }).notNull(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    apiKeyId: uuid('api_key_id').$type<ApiKeyId>().notNull(),
    agentId: uuid('agent_id').$type<AgentId>().notNull(),
    agentVersionId: uuid('agent_version_id').$type<AgentVersionId>().notNull(),
    voiceConfigId: uuid('voice_config_id').$type<VoiceConfigurationId>().notNull(),
    sessionState: text('session_state').notNull(),
    endedReason: text('ended_reason'),
    roomName: text('room_name').notNull().unique('voice_sessions_room'),
    /** null until the media server has created the room. */
    lkRoomSid: text('lk_room_sid'),
    participantIdentity: freeText('participant_identity').notNull(),
    endUserRef: freeText('end_user_ref'),
    createdAt: moment('created_at').notNull(),
    /** When the current phase ends; null: only `expires_at` ends it. */
    phaseDeadline: moment('phase_deadline'),
    expiresAt: moment('expires_at').notNull(),
    /** When the agent reported that it listens; null again during a takeover by another worker. */
    agentReadyAt: moment('agent_ready_at'),
    /** When the first agent was ready; a takeover does not change it. */
    firstReadyAt: moment('first_ready_at'),
    /** When the media server saw the agent leave; null while it is present or joining. */
    agentLeftAt: moment('agent_left_at'),
    /** The first join of the caller or callee: the duration of a session in the browser counts from here. */
    firstJoinedAt: moment('first_joined_at'),
    /** The latest join of the caller or callee. */
    joinedAt: moment('joined_at'),
    /** null while the caller is in the room. */
    leftAt: moment('left_at'),
    answeredAt: moment('answered_at'),
    endedAt: moment('ended_at'),
    /** When its transcript, numbers and names were erased: no later transcript is stored. */
    erasedAt: moment('erased_at'),
    dispatchAttempt: integer('dispatch_attempt').notNull().default(1),
    dispatchId: text('dispatch_id'),
    dispatchedAt: moment('dispatched_at'),
    /** Dispatches since the agent was last ready, without the first one. */
    unready: integer('unready').notNull().default(0),
    /** Workers lost during the session. */
    losses: integer('losses').notNull().default(0),
    /** SHA-256 of the one-time token of the dispatch; null once a worker has claimed the job. */
    jobTokenHash: text('job_token_hash'),
    /** SHA-256 of the token that the claiming worker sends with every call. */
    sessionTokenHash: text('session_token_hash'),
    workerId: text('worker_id'),
    workerSeenAt: moment('worker_seen_at'),
    /** When the media server first reported the room as unknown. */
    missedProbeAt: moment('missed_probe_at'),
    trunkId: uuid('trunk_id').$type<PhoneTrunkId>(),
    phoneNumberId: uuid('phone_number_id').$type<PhoneNumberId>(),
    toE164: text('to_e164'),
    fromE164: text('from_e164'),
    /** ISO 3166-1 alpha-2 region of the destination. */
    toCountry: text('to_country'),
    sipCallId: text('sip_call_id'),
    sipStatusCode: integer('sip_status_code'),
    sipStatus: freeText('sip_status'),
    failureReason: text('failure_reason'),
    /** The message returned to the caller of the API; repeated under an `Idempotency-Key`. */
    failureMessage: freeText('failure_message'),
    failoverUsed: boolean('failover_used').notNull().default(false),
    /** Whether the room of an ended session needs no further deletion. */
    roomGone: boolean('room_gone').notNull().default(false),
    usage: document('usage'),
    /** First day of the month (UTC) whose budget the call uses. */
    leasePeriod: date('lease_period'),
    /** Seconds that a call in flight reserves in the budgets. */
    reservedS: integer('reserved_s').notNull().default(0),
    /** Billed seconds of an ended call, in billing units. */
    chargedS: integer('charged_s'),
    /** When a request last waited for the outcome of the call. */
    waiterSeenAt: moment('waiter_seen_at'),
    /** The last sign of life of the process that dials the call; null before it dials. */
    dialerSeenAt: moment('dialer_seen_at'),
  },
  (t) => [
    index('voice_sessions_slots')
      .on(t.apiKeyId)
      .where(sql`session_state in ('starting', 'waiting', 'dialing', 'active')`),
    index('voice_sessions_trunks')
      .on(t.trunkId)
      .where(sql`session_state in ('starting', 'waiting', 'dialing', 'active')`),
    index('voice_sessions_in_flight')
      .on(t.phaseDeadline)
      .where(sql`session_state in ('starting', 'waiting', 'dialing', 'active')`),
    index('voice_sessions_rooms_to_delete')
      .on(t.endedAt)
      .where(sql`session_state in ('completed', 'failed') and not room_gone`),
    // Retention.
    index('voice_sessions_to_erase')
      .on(t.organizationId, t.endedAt)
      .where(sql`session_state in ('completed', 'failed') and erased_at is null`),
    // Sums of voice minutes. Drizzle has no INCLUDE, so the summed columns are keys too.
    index('voice_sessions_minutes')
      .on(t.organizationId, t.leasePeriod, t.projectId, t.chargedS, t.reservedS)
      .where(sql`kind = 'outbound_call'`),
    // Calls per second, per hour to a destination, and per day are counted by trunk.
    index('voice_sessions_calls_of_trunk').on(t.trunkId, t.createdAt).where(sql`kind = 'outbound_call'`),
    index('voice_sessions_newest').on(t.organizationId, t.createdAt, t.id),
  ],
)
