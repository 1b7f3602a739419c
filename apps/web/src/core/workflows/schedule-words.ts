import { counted } from '../format/numbers.ts'
import { scheduleTexts as texts } from '../messages/en/schedules.ts'

/** Names of days and months in cron patterns, in the order of their texts. */
const SHORT_DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const SHORT_MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** When a Recurrence fires: "At 09:00, Monday to Friday". A pattern that has no short words is shown as it is. */
export function scheduleWords(config: Readonly<Record<string, unknown>>): string {
  const { mode, cron, every, unit } = config
  if (mode === 'interval') return intervalWords(Number(every), String(unit))
  return typeof cron === 'string' ? cronWords(cron) : texts.none
}

/** The time zone of a Recurrence. */
export function scheduleZone({ timezone }: Readonly<Record<string, unknown>>): string {
  return typeof timezone === 'string' ? timezone : 'UTC'
}

function intervalWords(every: number, unit: string): string {
  const one = unit.replace(/s$/, '')
  if (!Number.isInteger(every) || every < 1) return texts.none
  const words = texts.every(every === 1 ? one : counted(every, one, unit))
  return one === 'day' ? texts.daily(words) : words
}

function cronWords(cron: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = cron.trim().split(/\s+/)
  const time = timeWords(minute, hour)
  const days = dayWords(day, weekday)
  const months = monthWords(month)
  if (more.length > 0 || time === null || days === null || months === null) return texts.pattern(cron)
  return [time, days, months].filter((words) => words !== '').join(', ')
}

function timeWords(minute: string, hour: string): string | null {
  const step = /^\*\/(\d+)$/
  if (minute === '*' && hour === '*') return texts.minutely
  const minutes = step.exec(minute)?.[1]
  if (minutes && hour === '*') return texts.minutes(minutes)
  if (!/^\d{1,2}$/.test(minute)) return null
  const at = minute.padStart(2, '0')
  if (hour === '*') return texts.hourly(at)
  const hours = step.exec(hour)?.[1]
  if (hours) return texts.hours(hours, at)
  if (!/^\d{1,2}(,\d{1,2})*$/.test(hour)) return null
  return texts.at(list(hour.split(',').map((one) => `${one.padStart(2, '0')}:${at}`)))
}

function dayWords(day: string, weekday: string): string | null {
  if (day === '*' && weekday === '*') return ''
  if (day === '*') return weekdayWords(weekday)
  if (weekday !== '*' || !/^\d{1,2}(,\d{1,2})*$/.test(day)) return null
  const days = day.split(',')
  return texts.daysOfMonth(list(days), days.length)
}

function weekdayWords(weekday: string): string | null {
  const range = /^(\w+)-(\w+)$/.exec(weekday)
  const [from, to] = [dayName(range?.[1]), dayName(range?.[2])]
  if (range) return from && to ? texts.range(from, to) : null
  const names = weekday.split(',').map(dayName)
  return names.every((name) => name !== null) ? list(names) : null
}

function dayName(text: string | undefined): string | null {
  if (text === undefined) return null
  const index = /^\d$/.test(text) ? Number(text) % 7 : SHORT_DAYS.indexOf(text.toUpperCase())
  return texts.days[index] ?? null
}

function monthWords(month: string): string | null {
  if (month === '*') return ''
  const names = month.split(',').map((one) => {
    const index = /^\d{1,2}$/.test(one) ? Number(one) - 1 : SHORT_MONTHS.indexOf(one.toUpperCase())
    return texts.months[index] ?? null
  })
  return names.every((name) => name !== null) ? texts.inMonths(list(names)) : null
}

function list(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
}
