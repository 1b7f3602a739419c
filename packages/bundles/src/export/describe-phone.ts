import type { BundlePhoneNumber, BundlePhoneTrunk } from '@troupe/contract'
import type { PhoneNumberRecord, PhoneTrunkRecord } from '@troupe/voice'
import { projectOf, type Slugs } from './slugs.ts'

/** A trunk in the bundle format. Applying the export keeps the stored password. */
export function describeTrunk(trunk: PhoneTrunkRecord, projects: Slugs): BundlePhoneTrunk {
  const { slug, name, id, projectId, direction, status, provisioning, address, transport, headers } = trunk
  const { fromUser, mediaTimeoutS, defaultCountry, dailyCallCap, quietHours, authUsername } = trunk
  // The provisioning state is decided by the media server.
  const wanted = status === 'draft' || status === 'disabled' ? status : 'active'
  return {
    ...{ slug, name, id, ...projectOf(projectId, projects), direction, status: wanted, provisioning },
    ...{ address, transport, mediaEncryption: trunk.mediaEncryption, numberFormat: trunk.numberFormat },
    ...(authUsername === null ? {} : { auth: { username: authUsername } }),
    ...(fromUser === null ? {} : { fromUser }),
    ...(mediaTimeoutS === null ? {} : { mediaTimeoutS }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(defaultCountry === null ? {} : { defaultCountry }),
    allowedCountries: trunk.allowedCountries,
    ...(trunk.blockedPrefixes.length === 0 ? {} : { blockedPrefixes: trunk.blockedPrefixes }),
    maxConcurrentCalls: trunk.maxConcurrentCalls,
    maxCps: trunk.maxCps,
    maxCallsPerDestinationPerHour: trunk.maxCallsPerDestinationPerHour,
    ...(dailyCallCap === null ? {} : { dailyCallCap }),
    ...(quietHours === null ? {} : { quietHours }),
    ringingTimeoutS: trunk.ringingTimeoutS,
    maxCallS: trunk.maxCallS,
  }
}

/** A phone number in the bundle format. */
export function describeNumber(
  { slug, id, trunkId, e164, voiceConfigId }: PhoneNumberRecord,
  { trunks, voices }: { trunks: Slugs; voices: Slugs },
): BundlePhoneNumber {
  return {
    ...{ slug, id, trunk: trunks.get(trunkId) ?? trunkId, e164 },
    voiceConfiguration: voiceConfigId === null ? null : (voices.get(voiceConfigId) ?? voiceConfigId),
  }
}
