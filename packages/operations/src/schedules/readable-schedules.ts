import { readSchedule, type Schedule } from '@troupe/graph'
import { LRUCache } from 'lru-cache'

/** Configs that are kept ready; most schedules of a deployment are the same few. */
const MAX_SCHEDULES = 1_000

/** A stored config that was published and cannot be read any more, such as one of a zone that is not known here. */
class UnreadableScheduleError extends Error {
  override readonly name = 'UnreadableScheduleError'
}

/** Schedules by their config. Reading one builds the formatter of its zone, which costs more than ten fires. */
export class ReadableSchedules {
  readonly #schedules = new LRUCache<string, Schedule>({ max: MAX_SCHEDULES })

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
