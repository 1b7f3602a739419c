import type { Checked, FieldError } from '@troupe/contract'
import { MAX_DAYS, nextCronMinute, type WallMinute } from './cron.ts'
import { NEVER_STARTS, parseCron } from './parse-cron.ts'
import { type ZoneClock, zoneClock } from './zone-clock.ts'

/** A schedule, parsed for `nextFire`. */
export interface Schedule {
  clock: ZoneClock
  /** Fires every hour or more often, and therefore follows the wall clock through its changes. */
  isFrequent: boolean
  /**
   * Whether a date must match the day or the weekday of a cron pattern, or both, if both fields are restricted; null:
   * at most one is.
   */
  dayRule: 'either' | 'both' | null
  /** The next time on the wall clock; null if there is none within nine years. */
  nextWall(after: WallMinute): WallMinute | null
}

const UNITS: Readonly<Record<string, number>> = { minutes: 1, hours: 60, days: 24 * 60 }
const ALL_HOURS = 24
const MOST_DAYS = 31
const WEEKDAYS = 7

type Pattern = Pick<Schedule, 'isFrequent' | 'dayRule' | 'nextWall'>

function readCron(config: Record<string, unknown>): Checked<Pattern> {
  if (typeof config.cron !== 'string') return fault('cron', 'must be a string')
  const parsed = parseCron(config.cron)
  if (!parsed.ok) return fault('cron', parsed.fault)
  const { cron } = parsed
  const isFrequent = cron.hours.length === ALL_HOURS
  const areBoth = cron.days.size < MOST_DAYS && cron.weekdays.size < WEEKDAYS
  const dayRule = cron.eitherDay ? 'either' : areBoth ? 'both' : null
  return { ok: true, value: { isFrequent, dayRule, nextWall: (after) => nextCronMinute(cron, after) } }
}

/** Every n minutes or hours of the wall clock, or at 00:00 every n days, counted from 1970-01-01 00:00 wall time. */
function readInterval({ every, unit }: Record<string, unknown>): Checked<Pattern> {
  const errors: FieldError[] = []
  const minutes = typeof unit === 'string' && Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  if (minutes === undefined) errors.push({ path: 'unit', message: 'must be one of: minutes, hours, days' })
  if (!Number.isInteger(every) || Number(every) < 1) {
    errors.push({ path: 'every', message: 'must be an integer of at least 1' })
  } else if (minutes !== undefined && Number(every) * minutes > MAX_DAYS * ALL_HOURS * 60) {
    errors.push({ path: 'every', message: NEVER_STARTS })
  }
  if (minutes === undefined || errors.length > 0) return { ok: false, errors }
  const period = Number(every) * minutes
  const nextWall = (after: WallMinute) => (Math.floor(after / period) + 1) * period
  return { ok: true, value: { isFrequent: period <= 60, dayRule: null, nextWall } }
}

function fault(path: string, message: string): { ok: false; errors: FieldError[] } {
  return { ok: false, errors: [{ path, message }] }
}

/**
 * Reads the keys `mode`, `cron`, `every`, `unit` and `timezone` (default `UTC`) of the config of a Recurrence; other
 * keys are ignored. Reports every failure, with its key as the path.
 */
export function readSchedule(config: Record<string, unknown>): Checked<Schedule> {
  const { mode, timezone = 'UTC' } = config
  const clock = typeof timezone === 'string' ? zoneClock(timezone) : null
  const pattern =
    mode === 'cron'
      ? readCron(config)
      : mode === 'interval'
        ? readInterval(config)
        : fault('mode', 'must be one of: cron, interval')
  const errors = pattern.ok ? [] : pattern.errors
  if (!clock) {
    const given = typeof timezone === 'string' && timezone !== '' ? `: ${timezone}` : ''
    return {
      ok: false,
      errors: [...errors, { path: 'timezone', message: `must be an IANA time zone${given}` }],
    }
  }
  return pattern.ok ? { ok: true, value: { clock, ...pattern.value } } : pattern
}
