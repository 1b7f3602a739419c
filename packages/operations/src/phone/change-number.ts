import {
  checkedId,
  type DomainError,
  type IdText,
  invalidField,
  type NewId,
  PhoneNumberId,
  type PhoneTrunkId,
  VoiceConfigurationId,
} from '@troupe/contract'
import type { CreatePhoneNumberBody, PhoneNumber, UpdatePhoneNumberBody } from '@troupe/contract/builder'
import type { Database, Transaction, WrittenPhoneNumber } from '@troupe/storage'
import { canonicalNumber, maySpeakOn, type PhoneTrunkRecord } from '@troupe/voice'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditChange } from '../changes/audit-change.ts'
import { requireVersion } from '../changes/require-version.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { auditedNumber } from './audited-phone.ts'
import { findNumber, findTrunk, showNumber } from './find-phone.ts'

/** Dependencies of the operations. */
export interface ChangeNumberParts {
  database: Pick<Database, 'transaction'>
  newId: NewId
}

/** @throws DomainError `phone_trunk_not_found`, `validation_error`, `slug_taken`, `id_taken` */
export function createNumber(
  { database, newId }: ChangeNumberParts,
  caller: BuilderCaller,
  trunkId: IdText<PhoneTrunkId>,
  body: CreatePhoneNumberBody,
): Promise<PhoneNumber> {
  return database.transaction(async (tx) => {
    await tx.write.organizations.lock(caller.organizationId)
    const trunk = await findTrunk(tx.read, caller.organizationId, trunkId)
    const after = await written(tx, trunk, newId(PhoneNumberId), body)
    await namingTaken(tx.write.phone.insertNumber(after))
    await auditChange(tx, caller, 'phone_number', null, after, auditedNumber)
    return showNumber(tx.read, caller.organizationId, after.id)
  })
}

/** @throws DomainError `phone_number_not_found`, `version_conflict`, `validation_error`, `slug_taken`, `id_taken` */
export function updateNumber(
  { database }: ChangeNumberParts,
  caller: BuilderCaller,
  phoneNumberId: IdText<PhoneNumberId>,
  body: UpdatePhoneNumberBody,
): Promise<PhoneNumber> {
  return database.transaction(async (tx) => {
    await tx.write.organizations.lock(caller.organizationId)
    const before = await findNumber(tx.read, caller.organizationId, phoneNumberId)
    await requireVersion(tx.read, caller, { ...before, kind: 'phone_number' }, body.version)
    const trunk = await findTrunk(tx.read, caller.organizationId, before.trunkId)
    const after = await written(tx, trunk, before.id, body)
    await namingTaken(tx.write.phone.updateNumber(after))
    await auditChange(tx, caller, 'phone_number', before, after, auditedNumber)
    return showNumber(tx.read, caller.organizationId, after.id)
  })
}

/** @throws DomainError `phone_number_not_found` */
export async function deleteNumber(
  { database }: ChangeNumberParts,
  caller: BuilderCaller,
  phoneNumberId: IdText<PhoneNumberId>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.write.organizations.lock(caller.organizationId)
    const before = await findNumber(tx.read, caller.organizationId, phoneNumberId)
    await tx.write.phone.deleteNumber(caller.organizationId, before.id)
    await auditChange(tx, caller, 'phone_number', before, null, auditedNumber)
  })
}

/** Puts the number on its trunk. The voice must be permitted to speak on the trunk. */
async function written(
  { read }: Transaction,
  { id: trunkId, organizationId, projectId }: PhoneTrunkRecord,
  id: PhoneNumberId,
  { slug, e164, voiceConfigId }: CreatePhoneNumberBody,
): Promise<WrittenPhoneNumber> {
  const number = { id, organizationId, projectId, trunkId, slug, e164: canonicalNumber(e164) }
  if (voiceConfigId === null) return { ...number, voiceConfigId }
  const voice = await read.voiceConfigurations.byId(
    organizationId,
    checkedId(VoiceConfigurationId, voiceConfigId.toLowerCase()),
  )
  if (!voice) throw invalidVoice('is not a voice configuration of this organization')
  if (!maySpeakOn({ projectId }, voice)) {
    throw invalidVoice('does not belong to the project of the trunk')
  }
  return { ...number, voiceConfigId: voice.id }
}

function invalidVoice(message: string): DomainError {
  return invalidField('voiceConfigId', message)
}
