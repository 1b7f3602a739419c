import { type Moment, millisecondsOf } from './times.ts'

const DAY_MS = 86_400_000

/** "Mon 23 Nov, 09:00" on the clock of a time zone; an unknown zone is read as UTC. */
export function zonedTime(moment: Moment, timeZone: string, locale = 'en-GB'): string {
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }
  return formatIn(timeZone, locale, options).format(millisecondsOf(moment))
}

/** The first of the next days on which the clocks of a zone change: "Sun 29 Mar"; null: none of them. */
export function nextClockChange(
  timeZone: string,
  nowMs: number,
  days: number,
  locale = 'en-GB',
): string | null {
  const zone = formatIn(timeZone, 'en', { timeZoneName: 'longOffset' })
  const offsetOf = (ms: number) => zone.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value
  const now = offsetOf(nowMs)
  for (let day = 1; day <= days; day++) {
    const at = nowMs + day * DAY_MS
    if (offsetOf(at) === now) continue
    const changed = lastWith(nowMs + (day - 1) * DAY_MS, at, (ms) => offsetOf(ms) === now)
    return formatIn(timeZone, locale, { weekday: 'short', day: 'numeric', month: 'short' }).format(changed)
  }
  return null
}

/** The last minute of a span for which `holds` is true; it is true at the beginning only. */
function lastWith(from: number, to: number, holds: (ms: number) => boolean): number {
  let [low, high] = [from, to]
  while (high - low > 60_000) {
    const middle = (low + high) / 2
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

function formatIn(timeZone: string, locale: string, options: Intl.DateTimeFormatOptions) {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}
