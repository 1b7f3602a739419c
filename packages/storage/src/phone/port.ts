import type {
  AgentId,
  OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  VoiceConfigurationId,
} from '@troupe/contract'
import type { PhoneNumberRecord, PhoneTrunkRecord } from '@troupe/voice'

/** A number that is not to be called. Only a confirmed one is refused. */
export interface DoNotCallRecord {
  organizationId: OrganizationId
  e164: string
  status: 'proposed' | 'confirmed'
  reason: string
  createdAt: Date
}

/** The agent that speaks for numbers. */
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
  /** Numbers that a voice configuration speaks for. */
  numbersOf(organizationId: OrganizationId, id: VoiceConfigurationId): Promise<PhoneNumberRecord[]>
  /** Who speaks for the numbers of an organization, each once. */
  speakers(organizationId: OrganizationId): Promise<PhoneSpeaker[]>
  /** Proposed ones first, then newest first; `total` is exact. `q` is part of the number or the reason. */
  doNotCall(
    organizationId: OrganizationId,
    page: { page: number; limit: number; q?: string | undefined },
  ): Promise<{ rows: DoNotCallRecord[]; total: number }>
}

/** A trunk as it is written; its state in the media server included. */
export type WrittenPhoneTrunk = Omit<PhoneTrunkRecord, 'version' | 'createdAt' | 'updatedAt'>
/** A number as it is written; its project is that of the trunk. */
export type WrittenPhoneNumber = Omit<PhoneNumberRecord, 'version' | 'createdAt' | 'updatedAt'>

export interface PhoneWriter {
  /** Throws SqlError 23505 when another trunk has the slug. */
  insertTrunk(record: WrittenPhoneTrunk): Promise<void>
  /** The project of the trunk's numbers changes with it. */
  updateTrunk(record: WrittenPhoneTrunk): Promise<void>
  /** With its numbers. */
  deleteTrunk(organizationId: OrganizationId, id: PhoneTrunkId): Promise<void>
  /** Throws SqlError 23505 when another number has the slug, or the trunk has the number. */
  insertNumber(record: WrittenPhoneNumber): Promise<void>
  updateNumber(record: WrittenPhoneNumber): Promise<void>
  deleteNumber(organizationId: OrganizationId, id: PhoneNumberId): Promise<void>
  /** Adds the number, or changes what is stored of it. */
  putDoNotCall(record: Omit<DoNotCallRecord, 'createdAt'>): Promise<void>
  /** Adds or confirms different numbers. Returns those that were not confirmed before; the others keep their reason. */
  confirmDoNotCall(
    organizationId: OrganizationId,
    numbers: readonly string[],
    reason: string,
  ): Promise<string[]>
  /** False: the number is not on the list. */
  deleteDoNotCall(organizationId: OrganizationId, e164: string): Promise<boolean>
}
