import fc from 'fast-check'
import parsePhoneNumber, { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { allowedDestination, type DestinationPolicy } from './destination.ts'
import { HIGH_COST_REGIONS } from './high-cost-regions.ts'

const LONDON = '+442079460100'
const policy = (changes: Partial<DestinationPolicy> = {}): DestinationPolicy => ({
  defaultCountry: null,
  allowedCountries: [],
  blockedPrefixes: [],
  ...changes,
})
const countries = (...allowedCountries: string[]) => policy({ allowedCountries })

describe('without a list of countries', () => {
  test('the country of the caller id is called, and no other', () => {
    expect(allowedDestination('+442079460999', LONDON, policy())).toEqual({
      e164: '+442079460999',
      country: 'GB',
    })
    expect(allowedDestination('+33123456789', LONDON, policy())).toBeNull()
    expect(allowedDestination('+14155550123', '+12025550123', policy())?.country).toBe('US')
  })

  test('a caller id of an expensive region does not permit even its own', () => {
    expect(allowedDestination('+18765550123', '+18765550199', policy())).toBeNull()
    expect(allowedDestination('+18765550123', '+18765550199', countries('JM'))?.country).toBe('JM')
  })
})

describe('+1 is 25 countries', () => {
  test.for([
    ['+12425550123', 'BS'],
    ['+14415550123', 'BM'],
    ['+18095550123', 'DO'],
    ['+16715550123', 'GU'],
    ['+17875550123', 'PR'],
    ['+18685550123', 'TT'],
    ['+16045550123', 'CA'],
  ])('%s belongs to %s, so that a list with US does not cover it', ([to, country]) => {
    expect(allowedDestination(to ?? '', LONDON, countries('US'))).toBeNull()
    expect(allowedDestination(to ?? '', LONDON, countries(country ?? ''))?.country).toBe(country)
  })
})

describe('never called, even where the country is listed', () => {
  test.for([
    ['premium, Great Britain', '+449098790000', 'GB'],
    ['premium, area code 900', '+19002345678', 'US'],
    ['premium, exchange 976', '+12129761234', 'US'],
    ['premium, Germany', '+499001234567', 'DE'],
    ['shared cost, Great Britain', '+448431234567', 'GB'],
    ['universal access, Great Britain', '+445512345678', 'GB'],
    ['pager, Great Britain', '+447640123456', 'GB'],
    ['a short code behind a calling code', '+4911833', 'DE'],
    ['satellites', '+870773111632', 'GB'],
    ['satellites', '+881612345678', 'GB'],
    ['universal personal numbers', '+878101234567890', 'GB'],
    ['international networks', '+882160123456', 'GB'],
    ['international networks', '+883510012345', 'GB'],
    ['international premium', '+979123456789', 'GB'],
    ['international toll-free', '+80012345678', 'GB'],
  ])('%s: %s', ([, to, country]) => {
    expect(allowedDestination(to ?? '', LONDON, countries(country ?? ''))).toBeNull()
  })

  test.for([
    '112',
    '911',
    '999',
    '000',
    '110',
    '1185',
    '11880',
    '118500',
    '116123',
  ])('emergency and short numbers: %s', (to) => {
    expect(allowedDestination(to, LONDON, policy({ defaultCountry: 'GB' }))).toBeNull()
  })

  test('numbers that are too short or too long for their country', () => {
    expect(allowedDestination('+44207946', LONDON, policy())).toBeNull()
    expect(allowedDestination('+442079460999000', LONDON, policy())).toBeNull()
  })
})

describe('digits only', () => {
  test('are read as they are dialed in the default country', () => {
    const german = policy({ defaultCountry: 'DE', allowedCountries: ['DE', 'GB'] })
    expect(allowedDestination('030123456', LONDON, german)?.e164).toBe('+4930123456')
    expect(allowedDestination('00442079460999', LONDON, german)?.e164).toBe('+442079460999')
  })

  test('are read in the country of the caller id without a default country', () => {
    expect(allowedDestination('02079460999', LONDON, policy())?.e164).toBe('+442079460999')
  })

  test('are refused if the country is unknown', () => {
    expect(allowedDestination('02079460999', '+99912345', policy())).toBeNull()
    expect(allowedDestination('02079460999', LONDON, policy({ defaultCountry: 'XX' }))).toBeNull()
  })
})

test('a blocked prefix wins over a listed country, with and without its plus sign', () => {
  for (const prefix of ['+4420', '4420']) {
    const blocked = policy({ allowedCountries: ['GB'], blockedPrefixes: [prefix] })
    expect(allowedDestination('+442079460999', LONDON, blocked)).toBeNull()
    expect(allowedDestination('+441614960000', LONDON, blocked)?.country).toBe('GB')
  }
})

const COUNTRIES = getCountries()

test.for(COUNTRIES)('an ordinary mobile number of %s is called where it is listed, only there', (country) => {
  const example = getExampleNumber(country, examples)
  // Some regions share the numbers of another one, such as Åland those of Finland.
  if (!example || parsePhoneNumber(example.number)?.country !== country) return
  const other = country === 'FR' ? 'DE' : 'FR'
  expect(allowedDestination(example.number, LONDON, countries(country))).not.toBeNull()
  expect(allowedDestination(example.number, LONDON, countries(other))).toBeNull()
  if (HIGH_COST_REGIONS.has(country))
    expect(allowedDestination(example.number, example.number, policy())).toBeNull()
})

test('only numbers of listed countries outside the blocked prefixes are ever called', () => {
  const digits = fc.stringMatching(/^\d{3,15}$/)
  const e164 = fc.stringMatching(/^\+[1-9]\d{6,14}$/)
  const listed = fc.uniqueArray(fc.constantFrom(...COUNTRIES), { minLength: 1, maxLength: 5 })
  const prefixes = fc.array(fc.stringMatching(/^[1-9]\d{0,5}$/), { maxLength: 3 })
  fc.assert(
    fc.property(fc.oneof(digits, e164), listed, prefixes, (to, allowedCountries, blockedPrefixes) => {
      const found = allowedDestination(to, LONDON, policy({ allowedCountries, blockedPrefixes }))
      if (found === null) return
      expect(allowedCountries).toContain(found.country)
      expect(found.e164).toMatch(/^\+[1-9]\d{6,14}$/)
      expect(blockedPrefixes.some((prefix) => found.e164.slice(1).startsWith(prefix))).toBe(false)
      expect(found.e164).not.toMatch(/^\+(870|878|882|883|979|1900)/)
    }),
    { numRuns: 2_000 },
  )
})
