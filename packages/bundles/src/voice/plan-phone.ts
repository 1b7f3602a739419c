import {
  type BundlePhoneNumber,
  type BundlePhoneTrunk,
  canonicalJson,
  type OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  type ProjectId,
} from '@troupe/contract'
import { trunkFaults, writtenTrunk } from '@troupe/operations/phone/written-trunk'
import type { VoiceConfigurationRecord, WrittenPhoneNumber, WrittenPhoneTrunk } from '@troupe/storage'
import { canonicalNumber, maySpeakOn, type PhoneNumberRecord, type PhoneTrunkRecord } from '@troupe/voice'
import type { Item } from '../read/bundle-items.ts'
import type { NameLookup } from '../resolve/name-lookup.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'

/** Compares the trunks of a bundle with the stored ones. Trunks that need provisioning are provisioned after the bundle is applied. */
export async function planTrunks(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundlePhoneTrunk>[],
  stored: readonly PhoneTrunkRecord[],
  /** Undefined for a project that is not in the organization, which is reported. */
  projectOf: (item: Item<BundlePhoneTrunk>) => ProjectId | null | undefined,
): Promise<Step<WrittenPhoneTrunk>[]> {
  const placed = await place(planner, PhoneTrunkId, items, stored, BY_SLUG)
  return placed.flatMap(({ item, stored: before, id }) => {
    for (const { path, message } of trunkFaults(item.value, before)) {
      planner.problems.add(`${item.path}.${path}`, message)
    }
    const projectId = projectOf(item)
    if (projectId === undefined) return []
    const after = writtenTrunk(planner, { id, organizationId, projectId }, item.value, before)
    return [{ before, after, changed: before === null || isChanged(before, after) }]
  })
}

/** The trunks and the voices of numbers in a bundle. */
interface DescribedPhone {
  trunks: readonly Item<{ slug: string; id?: string }>[]
  voiceConfigurations: readonly Item<{ slug: string; id?: string }>[]
}

interface NumberLookups {
  trunk: NameLookup<Pick<WrittenPhoneTrunk, 'id' | 'slug' | 'projectId'>>
  voice: NameLookup<Pick<VoiceConfigurationRecord, 'id' | 'slug' | 'projectId'>>
}

/** Refuses a trunk or a voice that leaves numbers outside the bundle invalid. */
function checkKeptNumbers(
  { problems }: Planner,
  kept: readonly PhoneNumberRecord[],
  { trunk: trunkOf, voice: voiceOf }: NumberLookups,
  described: DescribedPhone,
): void {
  for (const { trunkId, voiceConfigId, e164 } of kept) {
    const trunk = trunkOf(trunkId)
    const voice = voiceConfigId === null ? null : voiceOf(voiceConfigId)
    if (!trunk || !voice || maySpeakOn(trunk, voice)) continue
    const ofTrunk = described.trunks.find((item) => isOf(item, trunk))
    const ofVoice = described.voiceConfigurations.find((item) => isOf(item, voice))
    if (ofTrunk)
      problems.add(`${ofTrunk.path}.project`, `is not the project of the agent of its number ${e164}`)
    else if (ofVoice) {
      problems.add(
        `${ofVoice.path}.agent`,
        `does not belong to the project of the trunk of its number ${e164}`,
      )
    }
  }
}

function isOf(
  { value }: Item<{ slug: string; id?: string }>,
  row: { id: string; slug: string | null },
): boolean {
  return value.slug === row.slug || value.id?.toLowerCase() === row.id
}

/** Compares the phone numbers of a bundle with the stored ones; their projects are those of their trunks. */
export async function planNumbers(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundlePhoneNumber>[],
  stored: readonly PhoneNumberRecord[],
  lookups: NumberLookups,
  bundle: DescribedPhone,
): Promise<Step<WrittenPhoneNumber>[]> {
  const { trunk: trunkOf, voice: voiceOf } = lookups
  const placed = await place(planner, PhoneNumberId, items, stored, BY_SLUG)
  const described = new Set<string>(placed.map(({ id }) => id))
  const kept = stored.filter(({ id }) => !described.has(id))
  checkKeptNumbers(planner, kept, lookups, bundle)
  const taken = new Set<string>(kept.map(({ trunkId, e164 }) => `${trunkId} ${e164}`))
  return placed.flatMap(({ item: { value, path }, stored: before, id }) => {
    const report = (field: string, message: string) => planner.problems.add(`${path}.${field}`, message)
    const trunk = trunkOf(value.trunk)
    if (trunk === undefined) report('trunk', `is not a trunk of this organization: ${value.trunk}`)
    const reference = value.voiceConfiguration ?? null
    const voice = reference === null ? null : voiceOf(reference)
    if (voice === undefined)
      report('voiceConfiguration', `is not a voice configuration of this organization: ${reference}`)
    if (!trunk) return []
    const { projectId } = trunk
    if (voice && !maySpeakOn(trunk, voice)) {
      report('voiceConfiguration', `does not belong to the project of the trunk: ${reference}`)
    }
    const e164 = canonicalNumber(value.e164)
    const key = `${trunk.id} ${e164}`
    if (taken.has(key)) report('e164', 'is already a number of this trunk')
    taken.add(key)
    const { slug } = value
    const voiceConfigId = voice?.id ?? null
    const after: WrittenPhoneNumber = {
      id,
      organizationId,
      projectId,
      trunkId: trunk.id,
      slug,
      e164,
      voiceConfigId,
    }
    return [{ before, after, changed: before === null || isChanged(before, after) }]
  })
}

function isChanged(before: object, after: object): boolean {
  const { version: _, createdAt: __, updatedAt: ___, ...stored } = before as Record<string, unknown>
  return canonicalJson(stored) !== canonicalJson(after)
}
