import type {
  OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  ProjectId,
  VoiceConfigurationId,
} from '@troupe/contract'
import type { DestinationPolicy } from '../destinations/destination.ts'
import type { NumberFormat } from '../destinations/dial-string.ts'
import type { QuietHours } from '../destinations/quiet-hours.ts'
import type { TrunkSettings } from '../media/media-plane.ts'

/** A connection to a carrier, as stored. */
export interface PhoneTrunkRecord extends DestinationPolicy {
  id: PhoneTrunkId
  organizationId: OrganizationId
  projectId: ProjectId | null
  slug: string
  name: string
  direction: 'inbound' | 'outbound'
  status: 'draft' | 'provisioning' | 'active' | 'disabled' | 'failed'
  /** `never` leaves it unprovisioned, `assumed` waits for the first call. */
  provisioning: 'auto' | 'never' | 'assumed'
  provisionedAt: Date | null
  /** Without secrets. */
  provisionError: string | null
  lkTrunkId: string | null
  /** Hash of the configuration that the media server receives. */
  configHash: string
  provisionedHash: string | null
  address: string
  transport: TrunkSettings['transport']
  authUsername: string | null
  /** Sealed. */
  authPasswordEnc: string | null
  fromUser: string | null
  mediaEncryption: TrunkSettings['mediaEncryption']
  mediaTimeoutS: number | null
  headers: Record<string, string>
  numberFormat: NumberFormat
  allowedCountries: string[]
  blockedPrefixes: string[]
  maxConcurrentCalls: number
  /** Calls a second; below 1, one call in 1/n seconds. */
  maxCps: number
  maxCallsPerDestinationPerHour: number
  /** Calls in 24 hours; null: no cap. */
  dailyCallCap: number | null
  quietHours: QuietHours | null
  ringingTimeoutS: number
  maxCallS: number
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A caller id of a trunk, as stored. */
export interface PhoneNumberRecord {
  id: PhoneNumberId
  organizationId: OrganizationId
  /** The project of the trunk. */
  projectId: ProjectId | null
  trunkId: PhoneTrunkId
  slug: string
  e164: string
  voiceConfigId: VoiceConfigurationId | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** Whether the media server has the stored state of the trunk. */
export function isFullyProvisioned(
  trunk: Pick<PhoneTrunkRecord, 'status' | 'provisionedAt' | 'provisionedHash' | 'configHash'>,
): boolean {
  return (
    trunk.status === 'active' && trunk.provisionedAt !== null && trunk.provisionedHash === trunk.configHash
  )
}
