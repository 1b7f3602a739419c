import type { VoiceSessionRecord } from '@troupe/voice'

/** Every column of a session by the name of its field. */
const COLUMNS = {
  id: 'id',
  kind: 'kind',
  organizationId: 'organization_id',
  projectId: 'project_id',
  apiKeyId: 'api_key_id',
  agentId: 'agent_id',
  agentVersionId: 'agent_version_id',
  voiceConfigId: 'voice_config_id',
  sessionState: 'session_state',
  endedReason: 'ended_reason',
  roomName: 'room_name',
  lkRoomSid: 'lk_room_sid',
  participantIdentity: 'participant_identity',
  endUserRef: 'end_user_ref',
  createdAt: 'created_at',
  phaseDeadline: 'phase_deadline',
  expiresAt: 'expires_at',
  agentReadyAt: 'agent_ready_at',
  agentLeftAt: 'agent_left_at',
  joinedAt: 'joined_at',
  leftAt: 'left_at',
  answeredAt: 'answered_at',
  endedAt: 'ended_at',
  dispatchAttempt: 'dispatch_attempt',
  dispatchId: 'dispatch_id',
  dispatchedAt: 'dispatched_at',
  unready: 'unready',
  losses: 'losses',
  jobTokenHash: 'job_token_hash',
  sessionTokenHash: 'session_token_hash',
  workerId: 'worker_id',
  workerSeenAt: 'worker_seen_at',
  missedProbeAt: 'missed_probe_at',
  trunkId: 'trunk_id',
  phoneNumberId: 'phone_number_id',
  toE164: 'to_e164',
  toCountry: 'to_country',
  fromE164: 'from_e164',
  sipCallId: 'sip_call_id',
  sipStatusCode: 'sip_status_code',
  sipStatus: 'sip_status',
  failureReason: 'failure_reason',
  failureMessage: 'failure_message',
  failoverUsed: 'failover_used',
  roomGone: 'room_gone',
  usage: 'usage',
  leasePeriod: 'lease_period::text',
  reservedS: 'reserved_s',
  chargedS: 'charged_s',
  waiterSeenAt: 'waiter_seen_at',
  dialerSeenAt: 'dialer_seen_at',
} as const satisfies Record<keyof VoiceSessionRecord, string>

/** The select list of a whole session, of the table or alias `v`. */
export const SESSION_COLUMNS = Object.entries(COLUMNS)
  .map(([field, column]) => `v.${column} as "${field}"`)
  .join(', ')

/** SQL of the states of sessions that have not ended; the partial indexes are over exactly these. */
export const SESSION_IN_FLIGHT = `session_state in ('starting', 'waiting', 'dialing', 'active')`
