import {
  DomainError,
  type IdText,
  type OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  parseId,
} from '@troupe/contract'
import type { PhoneNumber, PhoneTrunk } from '@troupe/contract/builder'
import type { PhoneSpeaker, Readers } from '@troupe/storage'
import { isFullyProvisioned, type PhoneNumberRecord, type PhoneTrunkRecord } from '@troupe/voice'

/** @throws DomainError `phone_trunk_not_found`, including for trunks of other organizations */
export async function findTrunk(
  { phone }: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
  trunkId: IdText<PhoneTrunkId>,
): Promise<PhoneTrunkRecord> {
  const id = parseId(PhoneTrunkId, trunkId)
  const found = id && (await phone.trunk(organizationId, id))
  if (!found) throw new DomainError('phone_trunk_not_found', 'Trunk not found in this organization.')
  return found
}

/** @throws DomainError `phone_number_not_found`, including for numbers of other organizations */
export async function findNumber(
  { phone }: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
  phoneNumberId: IdText<PhoneNumberId>,
): Promise<PhoneNumberRecord> {
  const id = parseId(PhoneNumberId, phoneNumberId)
  const found = id && (await phone.number(organizationId, id))
  if (!found) throw numberNotFound()
  return found
}

export function numberNotFound(): DomainError {
  return new DomainError('phone_number_not_found', 'Phone number not found in this organization.')
}

export async function listTrunks(
  { phone }: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
): Promise<PhoneTrunk[]> {
  const numbers = await phone.numbers(organizationId)
  const speakers = await phone.speakers(organizationId)
  const trunks = await phone.trunks(organizationId)
  return trunks.map((trunk) => presentTrunk(trunk, numbers, speakers))
}

/** @throws DomainError `phone_trunk_not_found` */
export async function showTrunk(
  read: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
  trunkId: IdText<PhoneTrunkId>,
): Promise<PhoneTrunk> {
  return presentTrunk(
    await findTrunk(read, organizationId, trunkId),
    await read.phone.numbers(organizationId),
    await read.phone.speakers(organizationId),
  )
}

/** @throws DomainError `phone_number_not_found` */
export async function showNumber(
  read: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
  phoneNumberId: IdText<PhoneNumberId>,
): Promise<PhoneNumber> {
  const number = await findNumber(read, organizationId, phoneNumberId)
  return presentNumber(number, await read.phone.speakers(organizationId))
}

/** A trunk as the builder shows it, without secrets, and with its own numbers. */
function presentTrunk(
  trunk: PhoneTrunkRecord,
  numbers: readonly PhoneNumberRecord[],
  speakers: readonly PhoneSpeaker[],
): PhoneTrunk {
  const { id, organizationId: _, authPasswordEnc, configHash: __, provisionedHash: ___, ...shown } = trunk
  const { lkTrunkId: ____, provisionedAt, createdAt, updatedAt, ...settings } = shown
  return {
    ...settings,
    trunkId: id,
    hasPassword: authPasswordEnc !== null,
    isProvisioned: isFullyProvisioned(trunk),
    provisionedAt: provisionedAt?.toISOString() ?? null,
    numbers: numbers.filter(({ trunkId }) => trunkId === id).map((one) => presentNumber(one, speakers)),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function presentNumber(number: PhoneNumberRecord, speakers: readonly PhoneSpeaker[]): PhoneNumber {
  const { id, trunkId, slug, e164, voiceConfigId, version } = number
  const found = speakers.find((one) => one.voiceConfigId === voiceConfigId)
  const speaker = found
    ? { agentId: found.agentId, agentName: found.agentName, voiceSlug: found.voiceSlug }
    : null
  return { phoneNumberId: id, trunkId, slug, e164, voiceConfigId, speaker, version }
}
