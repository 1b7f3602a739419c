import type { OrganizationId, PhoneNumberId, PhoneTrunkId, VoiceConfigurationId } from '@troupe/contract'
import type { PhoneNumberRecord, PhoneTrunkRecord } from '@troupe/voice'

/** A number that is not to be called. Only a confirmed one is refused. */
export interface DoNotCallRecord {
  organizationId: OrganizationId
  e164: string
  status: 'proposed' | 'confirmed'
  reason: string
  createdAt: Date
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
  /** Proposed ones first, then newest first; at most `limit`. */
  doNotCall(organizationId: OrganizationId, limit: number): Promise<DoNotCallRecord[]>
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
  /** False: the number is not on the list. */
  deleteDoNotCall(organizationId: OrganizationId, e164: string): Promise<boolean>
}
