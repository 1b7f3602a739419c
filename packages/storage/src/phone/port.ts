import type {
  AgentId,
  OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  VoiceConfigurationId,
} from '@troupe/contract'
import type { PhoneNumberRecord, PhoneTrunkRecord } from '@troupe/voice'
import type { doNotCall } from '../tables/voice/do-not-call.ts'

/** A number on the do-not-call list. Calls are refused once it is confirmed. */
export type DoNotCallRecord = typeof doNotCall.$inferSelect

/** An agent that answers calls of numbers. */
export interface PhoneSpeaker {
  voiceConfigId: VoiceConfigurationId
  voiceSlug: string
  agentId: AgentId
  agentName: string
}

export interface PhoneReader {
  /** All trunks of an organization, oldest first. */
  trunks(organizationId: OrganizationId): Promise<PhoneTrunkRecord[]>
  trunk(organizationId: OrganizationId, id: PhoneTrunkId): Promise<PhoneTrunkRecord | null>
  /** All numbers of an organization, oldest first. */
  numbers(organizationId: OrganizationId): Promise<PhoneNumberRecord[]>
  number(organizationId: OrganizationId, id: PhoneNumberId): Promise<PhoneNumberRecord | null>
  /** Numbers of a voice configuration. */
  numbersOf(organizationId: OrganizationId, id: VoiceConfigurationId): Promise<PhoneNumberRecord[]>
  /** The agents of the numbers of an organization, each once. */
  speakers(organizationId: OrganizationId): Promise<PhoneSpeaker[]>
  /** Proposed ones first, then newest first; `total` is exact. `q` is part of the number or the reason. */
  doNotCall(
    organizationId: OrganizationId,
    page: { page: number; limit: number; q?: string | undefined },
  ): Promise<{ rows: DoNotCallRecord[]; total: number }>
}

/** A trunk as it is written, including its state in the media server. */
export type WrittenPhoneTrunk = Omit<PhoneTrunkRecord, 'version' | 'createdAt' | 'updatedAt'>
/** A number as it is written; its project is that of the trunk. */
export type WrittenPhoneNumber = Omit<PhoneNumberRecord, 'version' | 'createdAt' | 'updatedAt'>

export interface PhoneWriter {
  /** Throws SqlError 23505 when another trunk has the slug. */
  insertTrunk(record: WrittenPhoneTrunk): Promise<void>
  /** The project of the trunk's numbers changes with it. */
  updateTrunk(record: WrittenPhoneTrunk): Promise<void>
  /** Deletes the trunk with its numbers. */
  deleteTrunk(organizationId: OrganizationId, id: PhoneTrunkId): Promise<void>
  /** Throws SqlError 23505 when another number has the slug, or the trunk has the number. */
  insertNumber(record: WrittenPhoneNumber): Promise<void>
  updateNumber(record: WrittenPhoneNumber): Promise<void>
  deleteNumber(organizationId: OrganizationId, id: PhoneNumberId): Promise<void>
  /** Adds the number, or updates its entry. */
  putDoNotCall(record: Omit<DoNotCallRecord, 'createdAt'>): Promise<void>
  /** Adds or confirms distinct numbers. Returns the numbers that were not confirmed before; the others keep their reason. */
  confirmDoNotCall(
    organizationId: OrganizationId,
    numbers: readonly string[],
    reason: string,
  ): Promise<string[]>
  /** False: the number is not on the list. */
  deleteDoNotCall(organizationId: OrganizationId, e164: string): Promise<boolean>
}
