import { createHash } from 'node:crypto'
import { type BundlePhoneTrunk, canonicalJson, type OrganizationId, type ProjectId } from '@troupe/contract'
import type { SecretBox, SecretPlace } from '@troupe/secrets'
import type { WrittenPhoneTrunk } from '@troupe/storage'
import { isTimeZone, knownCountry, type PhoneTrunkRecord } from '@troupe/voice'

/** The context to which the password of a trunk is bound. */
export function trunkPasswordPlace(id: string): SecretPlace {
  return { purpose: 'phone_trunk.password', id }
}

/** The settings of a trunk that people can change. */
export type TrunkSettingsInput = Omit<BundlePhoneTrunk, 'id' | 'project'>

/** Rules beyond the schema, as faults below the trunk's path. */
export function trunkFaults(
  { address, defaultCountry, allowedCountries, quietHours, headers, auth }: TrunkSettingsInput,
  before: Pick<PhoneTrunkRecord, 'address' | 'authPasswordEnc'> | null,
): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = []
  const country = (path: string, code: string) => {
    if (knownCountry(code) === null)
      faults.push({ path, message: `is not a country with phone numbers: ${code}` })
  }
  if (defaultCountry != null) country('defaultCountry', defaultCountry)
  for (const [index, code] of (allowedCountries ?? []).entries()) country(`allowedCountries.${index}`, code)
  if (quietHours != null && !isTimeZone(quietHours.timezone)) {
    faults.push({ path: 'quietHours.timezone', message: 'is not a time zone, such as Europe/Paris' })
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    const isHeader = /^[A-Za-z0-9-]{1,64}$/.test(name) && /^[\x20-\x7e]{0,256}$/.test(value)
    if (!isHeader) faults.push({ path: 'headers', message: 'must have plain names and printable values' })
  }
  if (auth != null && auth.password === undefined) {
    if ((before?.authPasswordEnc ?? null) === null) {
      faults.push({ path: 'auth.password', message: 'is required for a new user name' })
    } else if (before !== null && !isSameAddress(before.address, address)) {
      // Otherwise, a person who may change the address could have the password sent to their own machine.
      faults.push({
        path: 'auth.password',
        message: 'must be entered again: the stored one is for another address',
      })
    }
  }
  return faults
}

/** Whether two addresses of a carrier name the same machine. */
const isSameAddress = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A trunk as written, with the defaults; its state in the media server follows from the changes. */
export function writtenTrunk(
  { box, now }: { box: SecretBox; now: () => number },
  place: Pick<WrittenPhoneTrunk, 'id'> & { organizationId: OrganizationId; projectId: ProjectId | null },
  input: TrunkSettingsInput,
  before: PhoneTrunkRecord | null,
): WrittenPhoneTrunk {
  const settings = {
    ...place,
    slug: input.slug,
    name: input.name,
    direction: input.direction,
    provisioning: input.provisioning ?? ('auto' as const),
    address: input.address,
    transport: input.transport ?? ('auto' as const),
    authUsername: input.auth?.username ?? null,
    authPasswordEnc: sealedPassword(box, place.id, input, before),
    fromUser: input.fromUser ?? null,
    mediaEncryption: input.mediaEncryption ?? ('disabled' as const),
    mediaTimeoutS: input.mediaTimeoutS ?? null,
    headers: input.headers ?? {},
    numberFormat: input.numberFormat ?? ('e164_plus' as const),
    defaultCountry: input.defaultCountry ?? null,
    allowedCountries: [...(input.allowedCountries ?? [])],
    blockedPrefixes: (input.blockedPrefixes ?? []).map((prefix) => prefix.replace('+', '')),
    maxConcurrentCalls: input.maxConcurrentCalls ?? 5,
    maxCps: input.maxCps ?? 1,
    maxCallsPerDestinationPerHour: input.maxCallsPerDestinationPerHour ?? 3,
    dailyCallCap: input.dailyCallCap ?? null,
    quietHours: input.quietHours ?? null,
    ringingTimeoutS: input.ringingTimeoutS ?? 30,
    maxCallS: input.maxCallS ?? 1_800,
  }
  const configHash = hashOf(settings, before)
  return { ...settings, configHash, ...stateOf(input, settings.provisioning, configHash, before, now) }
}

/** An absent password keeps the stored one; an equal one keeps the stored envelope. */
function sealedPassword(
  box: SecretBox,
  id: string,
  { auth }: TrunkSettingsInput,
  before: PhoneTrunkRecord | null,
): string | null {
  if (auth == null) return null
  const stored = before?.authPasswordEnc ?? null
  if (auth.password === undefined) return stored
  if (stored !== null && openOrNull(box, id, stored) === auth.password) return stored
  return box.seal(auth.password, trunkPasswordPlace(id))
}

function openOrNull(box: SecretBox, id: string, envelope: string): string | null {
  try {
    return box.open(envelope, trunkPasswordPlace(id))
  } catch {
    return null
  }
}

/** A hash of the configuration sent to the media server. Sealing a password with another key keeps the stored hash. */
function hashOf(
  trunk: Omit<WrittenPhoneTrunk, 'status' | 'configHash' | StateField>,
  before: PhoneTrunkRecord | null,
) {
  const { name, address, transport, authUsername, authPasswordEnc, headers, mediaEncryption } = trunk
  const told = { name, address, transport, authUsername, headers, mediaEncryption }
  const isSamePassword = before !== null && before.authPasswordEnc === authPasswordEnc
  const password = isSamePassword ? passwordPart(before.configHash) : digest(authPasswordEnc ?? '')
  return `${digest(canonicalJson(told))}.${password}`
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
const passwordPart = (configHash: string) => configHash.split('.')[1] ?? digest('')

type StateField = 'provisionedAt' | 'provisionError' | 'lkTrunkId' | 'provisionedHash'

function stateOf(
  { direction, status = 'active' }: TrunkSettingsInput,
  provisioning: PhoneTrunkRecord['provisioning'],
  configHash: string,
  before: PhoneTrunkRecord | null,
  now: () => number,
): Pick<WrittenPhoneTrunk, 'status' | StateField> {
  const {
    provisionedAt = null,
    provisionError = null,
    lkTrunkId = null,
    provisionedHash = null,
  } = before ?? {}
  const isKnown = provisionedHash === configHash && provisionedAt !== null
  const kept = { provisionedAt, provisionError, lkTrunkId, provisionedHash }
  const unknown = { provisionedAt: null, provisionError: null, lkTrunkId, provisionedHash: null }
  if (status !== 'active' || direction === 'inbound') return { status, ...kept }
  if (provisioning === 'never') return { status, ...unknown }
  if (isKnown) return { status, ...kept }
  if (provisioning === 'assumed') {
    return {
      status,
      provisionedAt: new Date(now()),
      provisionError: null,
      lkTrunkId: null,
      provisionedHash: configHash,
    }
  }
  const isTried = before?.configHash === configHash && before.provisioning === provisioning
  if (isTried && (before.status === 'failed' || before.status === 'provisioning')) {
    return { status: before.status, ...kept }
  }
  return { status: 'provisioning', ...unknown }
}
