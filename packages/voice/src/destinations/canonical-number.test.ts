import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { canonicalNumber } from './canonical-number.ts'
import { allowedDestination } from './destination.ts'

test.for([
  ['+4402079460000', '+442079460000'],
  ['+49015112345678', '+4915112345678'],
  // Italy keeps its leading zero, Argentina's mobiles their 9.
  ['+390612345678', '+390612345678'],
  ['+5491123456789', '+5491123456789'],
  ['+442079460000', '+442079460000'],
  ['+99912345678', '+99912345678'],
] as const)('%s is dialed as %s', ([given, dialed]) => {
  expect(canonicalNumber(given)).toBe(dialed)
})

test('lists use the format in which calls are checked, for every country', () => {
  for (const country of getCountries()) {
    const number = getExampleNumber(country, examples)
    if (!number?.country) continue
    const policy = { defaultCountry: null, allowedCountries: [number.country], blockedPrefixes: [] }
    for (const spelling of [number.number, `+${number.countryCallingCode}0${number.nationalNumber}`]) {
      const dialed = allowedDestination(spelling, '+442079460100', policy)
      if (dialed) expect(canonicalNumber(spelling)).toBe(dialed.e164)
    }
    expect(canonicalNumber(canonicalNumber(number.number))).toBe(canonicalNumber(number.number))
  }
})
