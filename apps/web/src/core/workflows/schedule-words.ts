import { counted } from '../format/numbers.ts'
import { scheduleTexts as texts } from '../messages/en/schedules.ts'

/** Names of days and months in cron patterns, in the order of their texts. */
const SHORT_DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const SHORT_MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** The maximum length of each month. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * When a Recurrence fires: "At 09:00, Monday to Friday". A pattern that has no short words is shown unchanged.
 */
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
  const inMonths = monthIndexes(month)
  const days = dayWords(day, weekday, inMonths)
  const months = monthWords(inMonths)
  if (more.length > 0 || time === null || days === null || months === null) return texts.pattern(cron)
  return [time, days, months].filter((words) => words !== '').join(', ')
}

/** A step of one takes every value. */
const withoutStepOfOne = (field: string) => (field === '*/1' ? '*' : field)

function timeWords(...fields: [minute: string, hour: string]): string | null {
  const [minute = '', hour = ''] = fields.map(withoutStepOfOne)
  const step = /^\*\/(\d+)$/
  if (minute === '*' && hour === '*') return texts.minutely
  const minutes = step.exec(minute)?.[1]
  // A step that does not divide the hour restarts with it: "every" would be wrong.
  if (minutes && hour === '*') return 60 % Number(minutes) === 0 ? texts.minutes(minutes) : null
  if (!isWithin(minute, 0, 59)) return null
  const at = minute.padStart(2, '0')
  if (hour === '*') return texts.hourly(at)
  const hours = step.exec(hour)?.[1]
  if (hours) return 24 % Number(hours) === 0 ? texts.hours(hours, at) : null
  const every = hour.split(',')
  if (!every.every((one) => isWithin(one, 0, 23))) return null
  return texts.at(list(every.map((one) => `${one.padStart(2, '0')}:${at}`)))
}

const isWithin = (text: string, least: number, most: number) =>
  /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most

function dayWords(day: string, weekday: string, inMonths: readonly number[] | null): string | null {
  if (day === '*' && weekday === '*') return ''
  if (day === '*') return weekdayWords(weekday)
  const longest = Math.max(...(inMonths ?? []).map((index) => MONTH_DAYS[index] ?? 0))
  const days = day.split(',')
  // A date such as 31 February never comes.
  if (weekday !== '*' || !days.every((one) => isWithin(one, 1, longest))) return null
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
  const index = isWithin(text, 0, 7) ? Number(text) % 7 : SHORT_DAYS.indexOf(text.toUpperCase())
  return texts.days[index] ?? null
}

/** The months of a pattern, January as 0; null: they have no short words. */
function monthIndexes(month: string): readonly number[] | null {
  if (month === '*') return MONTH_DAYS.map((_, index) => index)
  const indexes = month
    .split(',')
    .map((one) => (isWithin(one, 1, 12) ? Number(one) - 1 : SHORT_MONTHS.indexOf(one.toUpperCase())))
  return indexes.includes(-1) ? null : indexes
}

function monthWords(indexes: readonly number[] | null): string | null {
  if (indexes === null) return null
  const names = indexes.map((index) => texts.months[index] ?? '')
  return names.length === MONTH_DAYS.length ? '' : texts.inMonths(list(names))
}

function list(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
}
