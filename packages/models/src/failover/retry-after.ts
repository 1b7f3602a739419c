import type { ErrorFacts } from './error-facts.ts'

type Hints = Pick<ErrorFacts, 'headers' | 'waits' | 'message'>

/** The units in which providers write durations, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION = /(\d{1,15}(?:\.\d{1,15})?) ?(ms|milli|s|m|h|d)[a-z]{0,12} ?/iy
/** `Please try again in 6m11.52s`, `Please retry after 12 seconds`, `Please wait for 1 minute`. */
const SENTENCE = /(?:try again|retry|wait)[^.\d]{0,40}? (?=\d)/i
const RESET_HEADER = /^(?:x-|anthropic-)?ratelimit-(?:(.{1,40})-)?reset(?:-(.{1,40}))?$/
/** Numbers above this are points in time since the epoch, in seconds or in milliseconds. */
const EPOCH_SECONDS = 1_000_000_000
const EPOCH_MS = 1_000_000_000_000

/**
 * The provider's requested wait, in ms; null if there is none. Reads, in this order, the headers `retry-after-ms` and
 * `retry-after`; fields of the body such as Google's `RetryInfo`; and, for a rate limit, the headers of exhausted
 * limits (`x-ratelimit-reset-tokens`, `anthropic-ratelimit-requests-reset`) and the sentence of the error.
 *
 * @param now milliseconds since the epoch
 * @param isRateLimit whether the error is a rate limit: providers send the headers of limits with every answer
 */
export function retryAfterMs(
  { headers, waits, message }: Hints,
  now: number,
  isRateLimit: boolean,
): number | null {
  const asked = headerMs(headers, now) ?? bodyMs(waits, now)
  if (asked !== null || !isRateLimit) return asked
  return resetMs(headers, now) ?? sentenceMs(message)
}

function headerMs(headers: Record<string, string>, now: number): number | null {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms']) {
    const ms = Number.parseFloat(headers[name] ?? '')
    if (ms >= 0) return ms
  }
  return momentMs(headers['retry-after'], now)
}

function bodyMs(waits: Hints['waits'], now: number): number | null {
  for (const { name, value } of waits) {
    if (typeof value === 'number' && name.endsWith('ms')) return value >= 0 ? value : null
    const ms = momentMs(String(value), now)
    if (ms !== null) return ms
  }
  return null
}

/** The longest reset of the exhausted limits; of all limits if none states its remainder. */
function resetMs(headers: Record<string, string>, now: number): number | null {
  const resets: { ms: number; isUsedUp: boolean | null }[] = []
  for (const [name, value] of Object.entries(headers)) {
    const found = RESET_HEADER.exec(name.toLowerCase())
    const ms = found ? momentMs(value, now) : null
    if (ms === null) continue
    const left = headers[name.toLowerCase().replace('reset', 'remaining')]
    resets.push({ ms, isUsedUp: left === undefined ? null : Number(left) === 0 })
  }
  const usedUp = resets.filter(({ isUsedUp }) => isUsedUp === true)
  const relevant = usedUp.length > 0 ? usedUp : resets.filter(({ isUsedUp }) => isUsedUp === null)
  return relevant.length === 0 ? null : Math.max(...relevant.map(({ ms }) => ms))
}

function sentenceMs(message: string): number | null {
  const found = SENTENCE.exec(message)
  return found ? durationMs(message.slice(found.index + found[0].length)) : null
}

/** A duration (`34.4s`, `6m0s`), seconds, seconds or milliseconds since the epoch, or a date, as ms from now. */
function momentMs(text: string | undefined, now: number): number | null {
  const value = text?.trim() ?? ''
  if (value === '') return null
  const amount = Number(value)
  if (amount >= EPOCH_MS) return Math.max(0, amount - now)
  if (amount >= EPOCH_SECONDS) return Math.max(0, amount * 1000 - now)
  if (amount >= 0) return amount * 1000
  const duration = durationMs(value)
  if (duration !== null) return duration
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** The duration at the start of a text; null if there is none. */
function durationMs(text: string): number | null {
  let total: number | null = null
  DURATION.lastIndex = 0
  for (let part = DURATION.exec(text); part; part = DURATION.exec(text)) {
    const [, amount = '', unit = ''] = part
    const known = UNITS[unit.toLowerCase() === 'milli' ? 'ms' : unit.toLowerCase()] ?? 0
    total = (total ?? 0) + Number(amount) * known
  }
  return total
}
