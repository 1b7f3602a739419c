import type { PhoneTrunk, UpdatePhoneTrunkBody } from '@troupe/contract/builder'

/** A SIP header of a trunk while it is edited. */
export interface TrunkHeader {
  name: string
  value: string
}

/** A trunk's editable fields; the password is separate. Absent texts are empty, absent numbers null. */
export interface TrunkFields
  extends Pick<
    PhoneTrunk,
    | 'name'
    | 'slug'
    | 'projectId'
    | 'direction'
    | 'address'
    | 'transport'
    | 'mediaEncryption'
    | 'mediaTimeoutS'
    | 'numberFormat'
    | 'allowedCountries'
    | 'blockedPrefixes'
    | 'provisioning'
    | 'dailyCallCap'
    | 'quietHours'
  > {
  status: 'active' | 'disabled' | 'draft'
  authUsername: string
  fromUser: string
  defaultCountry: string
  headers: TrunkHeader[]
  /** Numbers that a trunk always has; null while the field is empty. */
  maxConcurrentCalls: number | null
  maxCps: number | null
  maxCallsPerDestinationPerHour: number | null
  ringingTimeoutS: number | null
  maxCallS: number | null
}

/** The fields of a stored trunk. */
export function trunkFieldsOf(trunk: PhoneTrunk): TrunkFields {
  const { name, slug, projectId, direction, address, transport, mediaEncryption, mediaTimeoutS } = trunk
  const { numberFormat, allowedCountries, blockedPrefixes, provisioning, dailyCallCap, quietHours } = trunk
  const { maxConcurrentCalls, maxCps, maxCallsPerDestinationPerHour, ringingTimeoutS, maxCallS } = trunk
  return {
    ...{ name, slug, projectId, direction, address, transport, mediaEncryption, mediaTimeoutS },
    ...{ numberFormat, allowedCountries, provisioning, dailyCallCap, quietHours },
    ...{ maxConcurrentCalls, maxCps, maxCallsPerDestinationPerHour, ringingTimeoutS, maxCallS },
    status: trunk.status === 'draft' || trunk.status === 'disabled' ? trunk.status : 'active',
    authUsername: trunk.authUsername ?? '',
    fromUser: trunk.fromUser ?? '',
    defaultCountry: trunk.defaultCountry ?? '',
    blockedPrefixes: blockedPrefixes.map((digits) => `+${digits}`),
    headers: Object.entries(trunk.headers).map(([header, value]) => ({ name: header, value })),
  }
}

/**
 * The complete trunk for saving; null while a required number is missing.
 *
 * @param password empty: keeps the stored one
 * @param version the base of the fields
 */
export function trunkBodyOf(
  fields: TrunkFields,
  password: string,
  version: number,
): UpdatePhoneTrunkBody | null {
  const { authUsername, fromUser, defaultCountry, headers, ...given } = fields
  const { maxConcurrentCalls, maxCps, maxCallsPerDestinationPerHour, ringingTimeoutS, maxCallS } = fields
  if (maxConcurrentCalls === null || maxCps === null || maxCallsPerDestinationPerHour === null) return null
  if (ringingTimeoutS === null || maxCallS === null) return null
  const username = authUsername.trim()
  const secret = password === '' ? {} : { password }
  return {
    ...given,
    ...{ maxConcurrentCalls, maxCps, maxCallsPerDestinationPerHour, ringingTimeoutS, maxCallS, version },
    address: given.address.trim(),
    auth: username === '' ? null : { username, ...secret },
    fromUser: fromUser.trim() || null,
    defaultCountry: defaultCountry.trim().toUpperCase() || null,
    headers: Object.fromEntries(
      headers.flatMap(({ name, value }) => (name.trim() === '' ? [] : [[name.trim(), value]])),
    ),
  }
}
