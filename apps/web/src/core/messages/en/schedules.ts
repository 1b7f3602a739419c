import { counted } from '../../format/numbers.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const SHORT_DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const MONTHS = [
  ['JAN', 'January'],
  ['FEB', 'February'],
  ['MAR', 'March'],
  ['APR', 'April'],
  ['MAY', 'May'],
  ['JUN', 'June'],
  ['JUL', 'July'],
  ['AUG', 'August'],
  ['SEP', 'September'],
  ['OCT', 'October'],
  ['NOV', 'November'],
  ['DEC', 'December'],
] as const

/** When a Recurrence fires: "At 09:00, Monday to Friday". A pattern that has no short words is shown as it is. */
export function scheduleWords(config: Readonly<Record<string, unknown>>): string {
  const { mode, cron, every, unit } = config
  if (mode === 'interval') return intervalWords(Number(every), String(unit))
  return typeof cron === 'string' ? cronWords(cron) : 'No times yet'
}

/** The time zone of a Recurrence, as its clock is named. */
export function scheduleZone({ timezone }: Readonly<Record<string, unknown>>): string {
  return typeof timezone === 'string' ? timezone : 'UTC'
}

function intervalWords(every: number, unit: string): string {
  const one = unit.replace(/s$/, '')
  if (!Number.isInteger(every) || every < 1) return 'No times yet'
  const words = every === 1 ? `Every ${one}` : `Every ${counted(every, one, unit)}`
  return one === 'day' ? `${words} at 00:00` : words
}

function cronWords(cron: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = cron.trim().split(/\s+/)
  const time = timeWords(minute, hour)
  const days = dayWords(day, weekday)
  const months = monthWords(month)
  if (more.length > 0 || time === null || days === null || months === null) return `Cron pattern ${cron}`
  return [time, days, months].filter((words) => words !== '').join(', ')
}

function timeWords(minute: string, hour: string): string | null {
  const step = /^\*\/(\d+)$/
  if (minute === '*' && hour === '*') return 'Every minute'
  const minutes = step.exec(minute)?.[1]
  if (minutes && hour === '*') return `Every ${minutes} minutes`
  if (!/^\d{1,2}$/.test(minute)) return null
  const at = minute.padStart(2, '0')
  if (hour === '*') return minute === '0' ? 'Every hour' : `Every hour at :${at}`
  const hours = step.exec(hour)?.[1]
  if (hours) return minute === '0' ? `Every ${hours} hours` : `Every ${hours} hours at :${at}`
  if (!/^\d{1,2}(,\d{1,2})*$/.test(hour)) return null
  return `At ${list(hour.split(',').map((one) => `${one.padStart(2, '0')}:${at}`))}`
}

function dayWords(day: string, weekday: string): string | null {
  if (day === '*' && weekday === '*') return ''
  if (day === '*') return weekdayWords(weekday)
  if (weekday !== '*' || !/^\d{1,2}(,\d{1,2})*$/.test(day)) return null
  const days = day.split(',')
  return `on ${days.length === 1 ? 'day' : 'days'} ${list(days)} of the month`
}

function weekdayWords(weekday: string): string | null {
  const range = /^(\w+)-(\w+)$/.exec(weekday)
  const [from, to] = [dayName(range?.[1]), dayName(range?.[2])]
  if (range) return from && to ? `${from} to ${to}` : null
  const names = weekday.split(',').map(dayName)
  return names.every((name) => name !== null) ? list(names) : null
}

function dayName(text: string | undefined): string | null {
  if (text === undefined) return null
  const index = /^\d$/.test(text) ? Number(text) % 7 : SHORT_DAYS.indexOf(text.toUpperCase())
  return DAYS[index] ?? null
}

function monthWords(month: string): string | null {
  if (month === '*') return ''
  const names = month.split(',').map((one) => {
    const index = /^\d{1,2}$/.test(one)
      ? Number(one) - 1
      : MONTHS.findIndex(([short]) => short === one.toUpperCase())
    return MONTHS[index]?.[1] ?? null
  })
  return names.every((name) => name !== null) ? `in ${list(names)}` : null
}

function list(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
}
