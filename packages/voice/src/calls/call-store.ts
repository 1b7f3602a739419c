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
  VoiceSettings,
} from '@troupe/contract'
import type { VoiceSessionKey, VoiceSessionRecord } from '../sessions/session.ts'
import type { PhoneTrunkRecord } from '../trunks/trunk.ts'
import type { CallCounts } from './call-caps.ts'

/** The stored data that decides whether a call may be placed. */
export interface CallPlan {
  trunk: PhoneTrunkRecord
  /** The number, if it is one of the trunk. */
  number: { id: PhoneNumberId; e164: string } | null
  /** The voice configuration of the number, with its agent. */
  voice: {
    voiceConfigId: VoiceConfigurationId
    agentId: AgentId
    agentVersionId: AgentVersionId
    /** The project of the agent, to which the call belongs. */
    projectId: ProjectId | null
    isArchived: boolean
    settings: VoiceSettings
  } | null
  /** Whether the organization has a budget of voice minutes. */
  hasBudget: boolean
}

/** An `Idempotency-Key` as sent. */
export interface CallIdempotency {
  path: string
  key: string
  /** SHA-256 of the body. */
  bodyHash: string
}

/** A call before it is dialed; the row starts as `starting`. */
export type NewOutboundCall = Pick<
  VoiceSessionRecord,
  | 'id'
  | 'organizationId'
  | 'projectId'
  | 'apiKeyId'
  | 'agentId'
  | 'agentVersionId'
  | 'voiceConfigId'
  | 'roomName'
  | 'participantIdentity'
  | 'createdAt'
  | 'expiresAt'
> & {
  trunkId: PhoneTrunkId
  phoneNumberId: PhoneNumberId
  toE164: string
  toCountry: string
  fromE164: string
  phaseDeadline: Date
  jobTokenHash: string
}

/** The result of the caps and budgets in a call's transaction. */
export interface CallAdmission {
  counts: CallCounts
  /** Seconds left of each budget that the call uses; empty without a budget of the organization. */
  remaining: number[]
}

/** The answered calls that a trunk placed in the last hour. */
export interface TrunkTraffic {
  organizationId: OrganizationId
  trunkId: PhoneTrunkId
  answered: number
  /** Of those, the ones that ended within six seconds. */
  short: number
  /** Seconds of conversation so far. */
  talkedS: number
  /** Seconds of the calls of the busiest hour of the seven days before; 0 where it was not requested. */
  busiestTalkedS: number
}

/** An answer that the agent of a call has seen. */
export interface UnseenAnswer {
  sessionId: VoiceSessionId
  sipCallId: string
}

/** A call that has the `Idempotency-Key`. */
export interface HeldCall {
  sessionId: VoiceSessionId
  bodyHash: string
}

export type CallOpening<R> =
  | { kind: 'opened'; isFirstToCountry: boolean }
  | { kind: 'held'; held: HeldCall }
  | { kind: 'refused'; refusal: R }
  | { kind: 'no_room' }

export interface CallOpeningOptions {
  idempotency: CallIdempotency | null
  /** Calls per second of the trunk. */
  maxCps: number
  /** Workers that were not seen since have no room. */
  workersSeenAfter: Date
}

/** The rows of outbound calls, beside those of every voice session. Changes are compare-and-sets. */
export interface CallStore {
  /** null when the organization has no such trunk. */
  plan(
    organizationId: OrganizationId,
    ids: { trunkId: PhoneTrunkId; phoneNumberId: PhoneNumberId },
  ): Promise<CallPlan | null>
  /** Whether a person confirmed the number for the do-not-call list. */
  isOnDoNotCall(organizationId: OrganizationId, e164: string): Promise<boolean>
  /** Proposes a number for the list; a listed number is unchanged. */
  proposeDoNotCall(organizationId: OrganizationId, e164: string, reason: string): Promise<void>
  /** The call of the last 24 hours that has the key; null: none, or one whose outcome is not kept. */
  held(
    apiKeyId: ApiKeyId,
    idempotency: Pick<CallIdempotency, 'path' | 'key'>,
    now: Date,
  ): Promise<HeldCall | null>
  /**
   * Counts, reserves, claims the key and inserts the row in one transaction, under the locks of the trunk, of the
   * organization's voice minutes and of the workers' room.
   *
   * @param admit returns the seconds to reserve, or why the call is refused
   */
  open<R>(
    call: NewOutboundCall,
    options: CallOpeningOptions,
    admit: (found: CallAdmission) => { reservedS: number } | { refusal: R },
  ): Promise<CallOpening<R>>
  /** `starting` → `dialing`. False: the call has ended. */
  toDialing(
    key: VoiceSessionKey,
    change: { roomSid: string; phaseDeadline: Date; at: Date },
  ): Promise<boolean>
  /** Marks the process that dials as alive. */
  dialerSeen(key: VoiceSessionKey, at: Date): Promise<void>
  /**
   * `dialing` → `active` for calls of the worker whose dialing process was not seen since `dialerSeenBefore`. Returns the
   * calls that it moved.
   */
  answeredUnseen(
    workerId: string,
    answers: readonly UnseenAnswer[],
    times: { at: Date; dialerSeenBefore: Date },
  ): Promise<VoiceSessionId[]>
  /** `dialing` → `active`. False: the call has ended, so the answer is hung up. */
  answered(key: VoiceSessionKey, change: { sipCallId: string; at: Date }): Promise<boolean>
  /**
   * The last hour of every trunk of the deployment that had an answered call.
   *
   * @param busyS the week before is read only for trunks with more seconds of conversation
   */
  traffic(now: Date, busyS: number): Promise<TrunkTraffic[]>
  /** Records that a request waits for the outcome. */
  waiterSeen(key: VoiceSessionKey, at: Date): Promise<void>
}
