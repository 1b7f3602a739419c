import type { PhoneTrunkRecord } from '@troupe/voice'

/** Every column of a trunk by the name of its field. */
const COLUMNS = {
  id: 'id',
  organizationId: 'organization_id',
  projectId: 'project_id',
  slug: 'slug',
  name: 'name',
  direction: 'direction',
  status: 'status',
  provisioning: 'provisioning',
  provisionedAt: 'provisioned_at',
  provisionError: 'provision_error',
  lkTrunkId: 'lk_trunk_id',
  configHash: 'config_hash',
  provisionedHash: 'provisioned_hash',
  address: 'address',
  transport: 'transport',
  authUsername: 'auth_username',
  authPasswordEnc: 'auth_password_enc',
  fromUser: 'from_user',
  mediaEncryption: 'media_encryption',
  mediaTimeoutS: 'media_timeout_s',
  headers: 'headers',
  numberFormat: 'number_format',
  defaultCountry: 'default_country',
  allowedCountries: 'allowed_countries',
  blockedPrefixes: 'blocked_prefixes',
  maxConcurrentCalls: 'max_concurrent_calls',
  maxCps: 'max_cps',
  maxCallsPerDestinationPerHour: 'max_calls_per_destination_per_hour',
  dailyCallCap: 'daily_call_cap',
  quietHours: 'quiet_hours',
  ringingTimeoutS: 'ringing_timeout_s',
  maxCallS: 'max_call_s',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof PhoneTrunkRecord, string>

/** Arrays of text have no type that both drivers parse. */
const LISTS: ReadonlySet<string> = new Set(['allowed_countries', 'blocked_prefixes'])

/** The select list of a whole trunk, of the alias `t`. */
export const TRUNK_COLUMNS = Object.entries(COLUMNS)
  .map(([field, column]) => `${LISTS.has(column) ? `to_json(t.${column})` : `t.${column}`} as "${field}"`)
  .join(', ')
