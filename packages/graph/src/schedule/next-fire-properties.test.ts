import { describe, expect, test } from 'vitest'
import { nextFire } from './next-fire.ts'
import { readSchedule } from './read-schedule.ts'

// The rule for clock changes, reimplemented in the simplest way: every minute of some days is examined.

/**
 * Zones with days shortly before their clock changes of 2026 in both directions, and the day in 2011 that Samoa
 * skipped.
 */
const ZONES: Record<string, string[]> = {
  UTC: ['2026-03-26'],
  'Asia/Kolkata': ['2026-03-26'],
  'America/New_York': ['2026-03-06', '2026-10-30'],
  'Europe/Berlin': ['2026-03-27', '2026-10-23'],
  'Asia/Beirut': ['2026-03-27', '2026-10-23'],
  'Africa/Cairo': ['2026-04-22', '2026-10-28'],
  'Africa/Casablanca': ['2026-02-13', '2026-03-20'],
  'America/Havana': ['2026-03-06', '2026-10-30'],
  'America/Santiago': ['2026-04-03', '2026-09-04'],
  'Australia/Lord_Howe': ['2026-04-03', '2026-10-02'],
  'Antarctica/Troll': ['2026-03-27', '2026-10-23'],
  'Pacific/Apia': ['2011-12-28'],
}
const DAYS = 5
const MINUTE = 60
const start = (text: string) => Date.parse(text) / 1000

/** Wall minute of an instant, from another formatter than the one under test. */
function wallOf(timezone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return (instant) => Date.parse(`${format.format(instant * 1000).replace(' ', 'T')}Z`) / 1000 / MINUTE
}

interface Pattern {
  config: Record<string, unknown>
  isFrequent: boolean
  matches(wall: number): boolean
}
const minute = (wall: number) => wall % 60
const hour = (wall: number) => Math.floor(wall / 60) % 24
const cron = (text: string, isFrequent: boolean, matches: (wall: number) => boolean): Pattern => ({
  config: { mode: 'cron', cron: text },
  isFrequent,
  matches,
})
const interval = (every: number, unit: 'minutes' | 'hours' | 'days'): Pattern => {
  const period = every * { minutes: 1, hours: 60, days: 1440 }[unit]
  return {
    config: { mode: 'interval', every, unit },
    isFrequent: period <= 60,
    matches: (wall) => wall % period === 0,
  }
}
const PATTERNS: Pattern[] = [
  cron('30 2 * * *', false, (wall) => hour(wall) === 2 && minute(wall) === 30),
  cron('0,15,45 0-3 * * *', false, (wall) => hour(wall) <= 3 && [0, 15, 45].includes(minute(wall))),
  cron('*/20 * * * *', true, (wall) => minute(wall) % 20 === 0),
  cron('0 */2 * * *', false, (wall) => minute(wall) === 0 && hour(wall) % 2 === 0),
  cron('50 23 * * 6,0', false, (wall) => {
    const weekday = new Date(wall * 60_000).getUTCDay()
    return hour(wall) === 23 && minute(wall) === 50 && (weekday === 6 || weekday === 0)
  }),
  interval(45, 'minutes'),
  interval(1, 'hours'),
  interval(90, 'minutes'),
  interval(3, 'days'),
]

/** Every fire on some days, by the rule. */
function byTheRule(timezone: string, from: number, patterns: readonly Pattern[]): number[][] {
  const wallAt = wallOf(timezone)
  const fires = patterns.map(() => new Set<number>())
  // Two days earlier, so that earlier wall times are known.
  const seen = new Set<number>()
  let previous = wallAt(from - 2 * 1440 * MINUTE - MINUTE)
  for (let at = from - 2 * 1440 * MINUTE; at < from + DAYS * 1440 * MINUTE; at += MINUTE) {
    const wall = wallAt(at)
    for (const [index, { isFrequent, matches }] of patterns.entries()) {
      for (let skipped = previous + 1; skipped < wall; skipped++) {
        if (!isFrequent && matches(skipped) && !seen.has(skipped)) fires[index]?.add(at)
      }
      if (matches(wall) && (isFrequent || !seen.has(wall))) fires[index]?.add(at)
    }
    seen.add(wall)
    previous = wall
  }
  return fires.map((set) => [...set].filter((fire) => fire > from))
}

describe.for(Object.entries(ZONES))('%s', ([timezone, dates]) => {
  test.for(dates)('fires by the rule from %s on', (date) => {
    const from = start(`${date}T07:13:00Z`)
    const expected = byTheRule(timezone, from, PATTERNS)
    for (const [index, { config }] of PATTERNS.entries()) {
      const schedule = readSchedule({ ...config, timezone })
      if (!schedule.ok) throw new Error(JSON.stringify(schedule.errors))
      const found: number[] = []
      const until = from + DAYS * 1440 * MINUTE
      for (
        let at = nextFire(schedule.value, from);
        at !== null && at < until;
        at = nextFire(schedule.value, at)
      ) {
        expect(at).toBeGreaterThan(found.at(-1) ?? from)
        found.push(at)
      }
      expect(found, JSON.stringify(config)).toEqual(expected[index])
    }
  })

  test('a daily pattern fires once on every local day of five years', () => {
    const schedule = readSchedule({ mode: 'cron', cron: '15 2 * * *', timezone })
    if (!schedule.ok) throw new Error(JSON.stringify(schedule.errors))
    const wallAt = wallOf(timezone)
    let at = nextFire(schedule.value, start('2022-01-01T12:00:00Z')) ?? Number.NaN
    let day = Math.floor(wallAt(at) / 1440)
    for (let count = 0; count < 1_825; count++) {
      at = nextFire(schedule.value, at) ?? Number.NaN
      day += 1
      expect(Math.floor(wallAt(at) / 1440)).toBe(day)
    }
  })

  test('the starting point of the search does not matter', () => {
    for (const { config } of PATTERNS) {
      const schedule = readSchedule({ ...config, timezone })
      if (!schedule.ok) throw new Error(JSON.stringify(schedule.errors))
      const from = start('2026-10-24T20:00:00Z')
      let expected = nextFire(schedule.value, from)
      for (let at = from; at < from + 2 * 1440 * MINUTE; at += 17 * MINUTE) {
        while (expected !== null && expected <= at) expected = nextFire(schedule.value, expected)
        expect(nextFire(schedule.value, at)).toBe(expected)
      }
    }
  })
})

test('a next fire takes far less than a millisecond', () => {
  const schedule = readSchedule({ mode: 'cron', cron: '30 2 * * *', timezone: 'America/New_York' })
  if (!schedule.ok) throw new Error(JSON.stringify(schedule.errors))
  const before = process.threadCpuUsage()
  let at: number | null = start('2026-01-01T00:00:00Z')
  for (let count = 0; count < 1_000 && at !== null; count++) at = nextFire(schedule.value, at)
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000)
})
