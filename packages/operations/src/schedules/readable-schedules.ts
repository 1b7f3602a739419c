import { readSchedule, type Schedule } from '@troupe/graph'
import { LRUCache } from 'lru-cache'

/** Cached configs; most schedules of a deployment share a few. */
const MAX_SCHEDULES = 300
const KEPT_MS = 60 * 60_000

/**
 * A published config that can no longer be parsed, for example because its time zone is unknown to this Node.
 */
class UnreadableScheduleError extends Error {
  override readonly name = 'UnreadableScheduleError'
}

/**
 * Caches schedules by config: parsing one builds its time-zone formatter, which costs more than ten fires.
 */
export class ReadableSchedules {
  readonly #schedules = new LRUCache<string, Schedule>({ max: MAX_SCHEDULES, ttl: KEPT_MS })

  /** @throws UnreadableScheduleError */
  read(config: Record<string, unknown>): Schedule {
    const { mode, cron, every, unit, timezone } = config
    const key = JSON.stringify([mode, cron, every, unit, timezone])
    const known = this.#schedules.get(key)
    if (known) return known
    const checked = readSchedule(config)
    if (!checked.ok) {
      const problems = checked.errors.map(({ path, message }) => `${path} ${message}`)
      throw new UnreadableScheduleError(`The schedule cannot be read: ${problems.join('; ')}.`)
    }
    this.#schedules.set(key, checked.value)
    return checked.value
  }
}
