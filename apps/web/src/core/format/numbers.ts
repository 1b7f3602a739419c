import { numberFormat, pluralRules } from './formatters.ts'

/** "12,480". */
export function wholeNumber(value: number, locale = 'en'): string {
  return numberFormat(locale, { maximumFractionDigits: 0 }).format(value)
}

/** "1,204.5", with at most two decimal places. */
export function decimalNumber(value: number, locale = 'en'): string {
  return numberFormat(locale, { maximumFractionDigits: 2 }).format(value)
}

/** "12.5K", "3.1M", for columns and axes. */
export function compactNumber(value: number, locale = 'en'): string {
  return numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** "$1,204.50", "$0.0031": small amounts keep two significant digits. "–" for an unknown price. */
export function money(usd: number | null, locale = 'en-US'): string {
  if (usd === null) return '–'
  const isSmall = usd !== 0 && Math.abs(usd) < 0.1
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 }
  return numberFormat(locale, { style: 'currency', currency: 'USD', ...digits }).format(usd)
}

/** "42%". `share` is from 0 to 1. */
export function percent(share: number, locale = 'en'): string {
  return numberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: share < 0.1 ? 1 : 0,
  }).format(share)
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "1.2 MB" of a number of bytes. */
export function byteSize(bytes: number, locale = 'en'): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1_000)))
  return numberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** power)
}

/** "1 run", "12 runs": a number with its noun. */
export function counted(count: number, one: string, other: string, locale = 'en'): string {
  const noun = pluralRules(locale, {}).select(count) === 'one' ? one : other
  return `${wholeNumber(count, locale)} ${noun}`
}
