import { nextFires, readSchedule } from '@troupe/graph'
import { zonedTime } from '../format/zoned-times.ts'
import { scheduleTexts as texts } from '../messages/en/schedules.ts'
import { scheduleZone } from './schedule-words.ts'

const SHOWN_STARTS = 5
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A start of a schedule in the future. */
export interface NextStart {
  /** Milliseconds since the epoch. */
  at: number
  /** On the clock of the schedule's zone. */
  when: string
  /** The time until then: of the first one from now, of the others from the previous one. */
  gap: string
}

/** The next five starts of a Recurrence by the rules of the server; null: its settings name no times yet. */
export function nextStarts(
  config: Readonly<Record<string, unknown>>,
  nowMs: number,
): { zone: string; starts: NextStart[] } | null {
  const read = readSchedule(config)
  if (!read.ok) return null
  const zone = scheduleZone(config)
  let before = nowMs
  const starts: NextStart[] = []
  for (const seconds of nextFires(read.value, Math.floor(nowMs / 1_000), SHOWN_STARTS)) {
    const at = seconds * 1_000
    const gap = span(at - before)
    starts.push({
      at,
      when: zonedTime(seconds, zone),
      gap: starts.length === 0 ? texts.fromNow(gap) : texts.later(gap),
    })
    before = at
  }
  return { zone, starts }
}

/** "5 min", "20 h 59 min", "3 days 1 h": two units at most. */
function span(ms: number): string {
  if (ms < HOUR_MS) return texts.minutesLong(Math.max(1, Math.round(ms / 60_000)))
  const [large, of, small] =
    ms < 2 * DAY_MS
      ? ([HOUR_MS, texts.hoursLong, 60_000] as const)
      : ([DAY_MS, texts.daysLong, HOUR_MS] as const)
  const rounded = Math.round(ms / small) * small
  const rest = Math.round((rounded % large) / small)
  const words = of(Math.floor(rounded / large))
  return rest === 0
    ? words
    : `${words} ${small === HOUR_MS ? texts.hoursLong(rest) : texts.minutesLong(rest)}`
}
