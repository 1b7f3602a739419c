import { dateFormat, relativeFormat } from './formatters.ts'

/** A moment as the server sends it: Unix seconds, or ISO 8601. */
export type Moment = number | string

/** The milliseconds of a moment. */
export function millisecondsOf(moment: Moment): number {
  return typeof moment === 'number' ? moment * 1_000 : Date.parse(moment)
}

const DAY_MS = 86_400_000

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** The allowed difference between the clocks of server and browser: a recent action is never in the future. */
const CLOCKS_DIFFER_S = 5

/** "3 minutes ago", "yesterday" by the reader's calendar, "in 2 days"; "just now" or "in a moment" within 45 seconds. */
export function relativeTime(moment: Moment, nowMs: number, locale = 'en', timeZone?: string): string {
  const seconds = (millisecondsOf(moment) - nowMs) / 1_000
  if (!Number.isFinite(seconds)) return '–'
  if (Math.abs(seconds) < 45) return seconds > CLOCKS_DIFFER_S ? 'in a moment' : 'just now'
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['minute', 60]
  if (unit === 'day') {
    const days = calendarDay(millisecondsOf(moment), timeZone) - calendarDay(nowMs, timeZone)
    return relativeFormat(locale, { numeric: 'auto' }).format(days, unit)
  }
  return relativeFormat(locale, { numeric: 'always' }).format(Math.round(seconds / size), unit)
}

/** The number of the day of a moment on the calendar of a time zone. */
function calendarDay(ms: number, timeZone: string | undefined): number {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', timeZone } as const
  const parts = dateFormat('en-u-ca-gregory-nu-latn', options).formatToParts(ms)
  const partOf = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value)
  return Date.UTC(partOf('year'), partOf('month') - 1, partOf('day')) / DAY_MS
}

/** "22 Nov 2026, 14:03:09" in the reader's time zone. */
export function fullTime(moment: Moment, locale = 'en-GB', timeZone?: string): string {
  const date = new Date(millisecondsOf(moment))
  if (Number.isNaN(date.getTime())) return '–'
  return dateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(date)
}

/** "22 Nov", with the year if it is not the current one. */
export function shortDate(moment: Moment, nowMs: number, locale = 'en-GB', timeZone?: string): string {
  const date = new Date(millisecondsOf(moment))
  if (Number.isNaN(date.getTime())) return '–'
  const sameYear = date.getFullYear() === new Date(nowMs).getFullYear()
  const year = sameYear ? {} : { year: 'numeric' as const }
  return dateFormat(locale, { day: 'numeric', month: 'short', ...year, timeZone }).format(date)
}

/** "14:05" in the reader's time zone. */
export function clockTime(moment: Moment, locale = 'en-GB', timeZone?: string): string {
  const date = new Date(millisecondsOf(moment))
  if (Number.isNaN(date.getTime())) return '–'
  return dateFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone }).format(date)
}

/** "840 ms", "3.2 s", "4 min 12 s", "2 h 5 min". */
export function duration(given: number): string {
  // The two clocks may differ slightly, but a duration is never negative.
  const ms = Math.max(0, given)
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 59.95) return `${seconds.toFixed(1).replace(/\.0$/, '')} s`
  const minutes = Math.round(seconds) / 60
  if (minutes < 60) return join(Math.floor(minutes), 'min', Math.round(seconds) % 60, 's')
  return join(Math.floor(minutes / 60), 'h', Math.floor(minutes) % 60, 'min')
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
