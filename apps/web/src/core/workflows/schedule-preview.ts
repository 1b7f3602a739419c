import { nextFires, readSchedule } from '@troupe/graph'
import { zonedTime } from '../format/zoned-times.ts'
import { scheduleTexts as texts } from '../messages/en/schedules.ts'
import { scheduleWords, scheduleZone } from './schedule-words.ts'

const SHOWN_FIRES = 3

/** What a cron pattern means while it is typed: in words with the next fires, or what it lacks. */
export function schedulePreview(config: Readonly<Record<string, unknown>>, nowMs: number): string {
  if (typeof config.cron !== 'string' || config.cron.trim() === '') return texts.none
  const read = readSchedule(config)
  if (!read.ok) {
    const fault = read.errors.find(({ path }) => path === 'cron')
    return fault ? texts.notYet(fault.message) : scheduleWords(config)
  }
  const next = nextFires(read.value, Math.floor(nowMs / 1_000), SHOWN_FIRES).map((at) =>
    zonedTime(at, scheduleZone(config)),
  )
  return texts.preview(scheduleWords(config), next)
}
