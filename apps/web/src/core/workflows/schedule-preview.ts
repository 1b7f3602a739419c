import { NEVER_STARTS, readSchedule } from '@troupe/graph'
import { nextClockChange } from '../format/zoned-times.ts'
import { scheduleTexts as texts } from '../messages/en/schedules.ts'
import { scheduleWords, scheduleZone } from './schedule-words.ts'

const YEAR_DAYS = 366

/**
 * The meaning of a cron pattern while it is typed, by the rules of the server: its words, the way its days join, and the effect of
 * the next clock change of its zone. A pattern that is not complete has its missing part instead.
 */
export function schedulePreview(config: Readonly<Record<string, unknown>>, nowMs: number): string {
  if (typeof config.cron !== 'string' || config.cron.trim() === '') return texts.none
  const read = readSchedule(config)
  if (!read.ok) {
    const fault = read.errors.find(({ path }) => path === 'cron')
    if (fault?.message === NEVER_STARTS) return texts.never
    return fault ? texts.notYet(fault.message) : scheduleWords(config)
  }
  const { dayRule, isFrequent } = read.value
  const zone = scheduleZone(config)
  const change = zone === 'UTC' ? null : nextClockChange(zone, nowMs, YEAR_DAYS)
  return [
    texts.sentence(scheduleWords(config)),
    dayRule && texts.dayRules[dayRule],
    change && texts.clockChange(change, isFrequent),
  ]
    .filter((sentence) => sentence !== null)
    .join(' ')
}
