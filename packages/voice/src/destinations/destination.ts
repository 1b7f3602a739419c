import parsePhoneNumber, { type PhoneNumber } from 'libphonenumber-js/max'
import { HIGH_COST_REGIONS } from './high-cost-regions.ts'
import { knownCountry } from './known-country.ts'

/** A trunk's rules for destinations. */
export interface DestinationPolicy {
  /** ISO 3166 code by which digits without a plus sign are read; null: the country of the caller id. */
  defaultCountry: string | null
  /** ISO 3166 codes; empty: the country of the caller id, unless calls there are expensive. */
  allowedCountries: readonly string[]
  /** Digits of E.164 numbers, with or without a plus sign. */
  blockedPrefixes: readonly string[]
}

/** A number that the policy lets a trunk call. */
export interface Destination {
  /** With a plus sign. */
  e164: string
  /** ISO 3166 code. */
  country: string
}

/** Emergency and other short numbers have no more digits than this. */
const LONGEST_SHORT_CODE = 6
const REFUSED_TYPES: ReadonlySet<string | undefined> = new Set([
  'PREMIUM_RATE',
  'SHARED_COST',
  'UAN',
  'PAGER',
])
/** Satellites, ships, international networks, universal personal and premium numbers. */
const REFUSED_CALLING_CODES: ReadonlySet<string> = new Set(['870', '878', '881', '882', '883', '888', '979'])
/** Premium numbers of the North American plan: an area code, and an exchange of every area. */
const NANP_PREMIUM = /^(?:900|\d{3}976)/

/**
 * The number that a trunk would call, or null if its policy refuses it. The reason is withheld, because it would
 * reveal which numbers pass.
 *
 * @param to E.164 with a plus sign, or digits only
 * @param callerId the number that calls, in E.164
 */
export function allowedDestination(
  to: string,
  callerId: string,
  policy: DestinationPolicy,
): Destination | null {
  if (to.replace('+', '').length <= LONGEST_SHORT_CODE) return null
  const home = parsePhoneNumber(callerId)?.country ?? null
  const number = parsed(to, policy.defaultCountry ?? home)
  // Without a country, no rule can allow the number.
  if (!number?.country || !number.isPossible()) return null
  if (isRefusedEverywhere(number)) return null
  const allowed = policy.allowedCountries.length > 0 ? policy.allowedCountries : ownCountry(home)
  if (!allowed.includes(number.country)) return null
  const digits = number.number.slice(1)
  const isBlocked = policy.blockedPrefixes.some((prefix) => digits.startsWith(prefix.replace('+', '')))
  return isBlocked ? null : { e164: number.number, country: number.country }
}

function parsed(to: string, defaultCountry: string | null): PhoneNumber | undefined {
  if (to.startsWith('+')) return parsePhoneNumber(to, { extract: false })
  const country = knownCountry(defaultCountry)
  return country === null ? undefined : parsePhoneNumber(to, { defaultCountry: country, extract: false })
}

function ownCountry(home: string | null): readonly string[] {
  return home === null || HIGH_COST_REGIONS.has(home) ? [] : [home]
}

function isRefusedEverywhere(number: PhoneNumber): boolean {
  const { countryCallingCode, nationalNumber } = number
  if (REFUSED_CALLING_CODES.has(countryCallingCode)) return true
  // A short code behind a calling code; some small islands have ordinary numbers that are as short.
  if (nationalNumber.length <= LONGEST_SHORT_CODE && !number.isValid()) return true
  if (countryCallingCode === '1' && NANP_PREMIUM.test(nationalNumber)) return true
  return REFUSED_TYPES.has(number.getType())
}
