/** Seconds since the Unix epoch. */
export type Instant = number

/** The wall clock of a zone. Its only state is the formatter. */
export interface ZoneClock {
  /** Seconds that the wall clock is ahead of UTC at an instant. */
  offsetAt(instant: Instant): number
}

const FIELDS = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/

/** The clock of an IANA zone, from the platform's zone data; null for an unknown zone or a UTC offset. */
export function zoneClock(timezone: string): ZoneClock | null {
  if (!/^[A-Za-z]/.test(timezone)) return null
  let formatter: Intl.DateTimeFormat
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return null
  }
  return {
    offsetAt(instant) {
      const whole = Math.floor(instant)
      const found = FIELDS.exec(formatter.format(whole * 1000))
      if (!found) throw new RangeError(`No wall clock at ${instant}`)
      const [month = 0, day, year = 0, hour, minute, second] = found.slice(1).map(Number)
      return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - whole
    },
  }
}

/** The first instant in (`from`, `to`] whose offset differs from that at `from`; null when both offsets are equal. */
export function transitionBetween(clock: ZoneClock, from: Instant, to: Instant): Instant | null {
  const offset = clock.offsetAt(from)
  if (to <= from || clock.offsetAt(to) === offset) return null
  let before = Math.floor(from)
  let after = Math.ceil(to)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (clock.offsetAt(middle) === offset) before = middle
    else after = middle
  }
  return after
}

const DAY = 24 * 60 * 60

/**
 * The instants at which a wall clock shows a time, given in wall-clock seconds since 1970-01-01 00:00: one, two when
 * the clock is set back, or none when it skips the time; then `gapEnd` is the first instant after the gap.
 */
export function instantsOf(clock: ZoneClock, wall: number): { instants: Instant[]; gapEnd: Instant | null } {
  const offsets = new Set([clock.offsetAt(wall - DAY), clock.offsetAt(wall + DAY)])
  const instants = [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => instant + clock.offsetAt(instant) === wall)
    .sort((a, b) => a - b)
  const gapEnd = instants.length === 0 ? transitionBetween(clock, wall - DAY, wall + DAY) : null
  return { instants, gapEnd }
}
