import type { PhoneNumber, PhoneTrunk } from '@troupe/builder-contract'
import { DomainError, type OrganizationId, toId } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { isFullyProvisioned, type PhoneNumberRecord, type PhoneTrunkRecord } from '@troupe/voice'

/** @throws DomainError `phone_trunk_not_found`, also for trunks of other organizations */
export async function findTrunk(
  { phone }: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
  trunkId: string,
): Promise<PhoneTrunkRecord> {
  const id = toId(trunkId)
  const found = id && (await phone.trunk(organizationId, id))
  if (!found) throw new DomainError('phone_trunk_not_found', 'There is no such trunk in this organization.')
  return found
}

/** @throws DomainError `phone_number_not_found`, also for numbers of other organizations */
export async function findNumber(
  { phone }: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
  phoneNumberId: string,
): Promise<PhoneNumberRecord> {
  const id = toId(phoneNumberId)
  const found = id && (await phone.number(organizationId, id))
  if (!found) throw numberNotFound()
  return found
}

export function numberNotFound(): DomainError {
  return new DomainError('phone_number_not_found', 'There is no such phone number in this organization.')
}

export async function listTrunks(
  { phone }: Pick<Readers, 'phone'>,
  organizationId: OrganizationId,
): Promise<PhoneTrunk[]> {
  const numbers = await phone.numbers(organizationId)
  const trunks = await phone.trunks(organizationId)
  return trunks.map((trunk) => presentTrunk(trunk, numbers))
}

/** A trunk without its secrets, with those of the numbers that are its own. */
export function presentTrunk(trunk: PhoneTrunkRecord, numbers: readonly PhoneNumberRecord[]): PhoneTrunk {
  const { id, organizationId: _, authPasswordEnc, configHash: __, provisionedHash: ___, ...shown } = trunk
  const { lkTrunkId: ____, provisionedAt, createdAt, updatedAt, ...settings } = shown
  return {
    ...settings,
    trunkId: id,
    hasPassword: authPasswordEnc !== null,
    isProvisioned: isFullyProvisioned(trunk),
    provisionedAt: provisionedAt?.toISOString() ?? null,
    numbers: numbers.filter(({ trunkId }) => trunkId === id).map(presentNumber),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function presentNumber({
  id,
  trunkId,
  slug,
  e164,
  voiceConfigId,
  version,
}: PhoneNumberRecord): PhoneNumber {
  return { phoneNumberId: id, trunkId, slug, e164, voiceConfigId, version }
}
