import type {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  ProjectId,
  VoiceConfigurationId,
  VoiceSessionId,
} from '@troupe/contract'

/** `waiting` is a state of sessions in the browser, `dialing` one of calls. */
export const IN_FLIGHT_STATES = ['starting', 'waiting', 'dialing', 'active'] as const
const TERMINAL_STATES = ['completed', 'failed'] as const

export type InFlightState = (typeof IN_FLIGHT_STATES)[number]
export type TerminalState = (typeof TERMINAL_STATES)[number]
export type VoiceSessionState = InFlightState | TerminalState

/** How a session may end: each reason belongs to one terminal state. */
export const ENDED_REASONS = {
  participant_left: 'completed',
  agent_ended: 'completed',
  timeout: 'completed',
  join_timeout: 'completed',
  inactivity: 'completed',
  ended_by_operator: 'completed',
  budget_exhausted: 'completed',
  start_failed: 'failed',
  agent_unavailable: 'failed',
  media_lost: 'failed',
  provider_error: 'failed',
  call_failed: 'failed',
  canceled: 'failed',
} as const satisfies Record<string, TerminalState>

export type EndedReason = keyof typeof ENDED_REASONS

/** Names a row; every statement on it names the organization too. */
export interface VoiceSessionKey {
  organizationId: OrganizationId
  id: VoiceSessionId
}

/** A voice session or an outbound call, as stored. */
export interface VoiceSessionRecord extends VoiceSessionKey {
  kind: 'web' | 'outbound_call'
  projectId: ProjectId | null
  apiKeyId: ApiKeyId
  agentId: AgentId
  agentVersionId: AgentVersionId
  voiceConfigId: VoiceConfigurationId
  sessionState: VoiceSessionState
  endedReason: EndedReason | null
  roomName: string
  /** null until the media server has created the room. */
  lkRoomSid: string | null
  participantIdentity: string
  endUserRef: string | null
  createdAt: Date
  /** The deadline of the current state; null: only `expiresAt` ends it. */
  phaseDeadline: Date | null
  expiresAt: Date
  /** null also while another worker takes over. */
  agentReadyAt: Date | null
  agentLeftAt: Date | null
  /** The latest join of the caller or callee. */
  joinedAt: Date | null
  /** null while the caller is in the room. */
  leftAt: Date | null
  answeredAt: Date | null
  endedAt: Date | null
  /** 1 for the first dispatch. */
  dispatchAttempt: number
  dispatchId: string | null
  dispatchedAt: Date | null
  /** Dispatches since the agent was last ready, without the first one. */
  unready: number
  losses: number
  jobTokenHash: string | null
  sessionTokenHash: string | null
  workerId: string | null
  workerSeenAt: Date | null
  missedProbeAt: Date | null
  trunkId: PhoneTrunkId | null
  phoneNumberId: PhoneNumberId | null
  toE164: string | null
  fromE164: string | null
  /** ISO 3166-1 alpha-2. */
  toCountry: string | null
  sipCallId: string | null
  sipStatusCode: number | null
  sipStatus: string | null
  failureReason: string | null
  /** The message that the caller of the API received. */
  failureMessage: string | null
  failoverUsed: boolean
  roomGone: boolean
  usage: unknown
  /** `YYYY-MM-DD`. */
  leasePeriod: string | null
  reservedS: number
  chargedS: number | null
  waiterSeenAt: Date | null
  /** The last sign of life of the dialing process; null before it dials, and for sessions in the browser. */
  dialerSeenAt: Date | null
}
