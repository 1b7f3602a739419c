import { type Cron, nextCronMinute } from './cron.ts'

/** The fault of a schedule that no date within nine years matches. */
export const NEVER_STARTS = 'has no fire within 9 years'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const ALIASES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

interface Field {
  name: string
  min: number
  max: number
  /** Names for the numbers, starting at `min`. */
  names?: readonly string[]
  /** A larger number that is an alias for `min`: 7 for Sunday. */
  alias?: number
}

const FIELDS: readonly [Field, Field, Field, Field, Field] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'weekday', min: 0, max: 6, names: WEEKDAYS, alias: 7 },
]

/** Carries the message about an invalid pattern. Thrown and caught in this file only. */
class CronFault extends Error {}

function numberOf(text: string, field: Field): number {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named !== -1) return field.min + named
  if (!/^\d{1,4}$/.test(text)) throw new CronFault(`the ${field.name} "${text}" is not understood`)
  const value = Number(text)
  const highest = field.alias ?? field.max
  if (value < field.min || value > highest) {
    throw new CronFault(`the ${field.name} ${value} is not between ${field.min} and ${highest}`)
  }
  return value
}

/** The numbers of one item of a list: `*`, `a`, `a-b`, each with `/n`. */
function itemNumbers(item: string, field: Field): number[] {
  const [range = '', stepText, ...more] = item.split('/')
  const [first = '', last, ...rest] = range.split('-')
  if (item === '' || more.length > 0 || rest.length > 0 || first === '') {
    throw new CronFault(`the ${field.name} "${item}" is not understood`)
  }
  const isAll = range === '*' || range === '?'
  const from = isAll ? field.min : numberOf(first, field)
  const isOpen = isAll || (last === undefined && stepText !== undefined)
  const to = isOpen ? Math.max(field.max, from) : last === undefined ? from : numberOf(last, field)
  if (from > to) throw new CronFault(`the ${field.name} range "${range}" is reversed`)
  if (stepText !== undefined && !/^\d{1,4}$/.test(stepText)) {
    throw new CronFault(`the ${field.name} step "${stepText}" is not understood`)
  }
  const step = Number(stepText ?? 1)
  if (step === 0) throw new CronFault(`the ${field.name} step must be at least 1`)
  const numbers: number[] = []
  for (let value = from; value <= to; value += step) numbers.push(value === field.alias ? field.min : value)
  return numbers
}

function fieldNumbers(text: string, field: Field): number[] {
  const numbers = text.split(',').flatMap((item) => itemNumbers(item, field))
  return [...new Set(numbers)].sort((a, b) => a - b)
}

// Vixie cron's rule: a day or weekday field that begins with `*` counts as unrestricted, even with a step or a list
// after it. So `0 9 */2 * 1-5` requires both, an odd day and a weekday (https://crontab.guru/cron-bug.html).
const isRestricted = (text: string) => !/^[*?]/.test(text)

/** Longer than any pattern that lists every number. */
const MAX_LENGTH = 1_000

function parse(text: string): Cron {
  if (text.length > MAX_LENGTH) throw new CronFault(`must have at most ${MAX_LENGTH} characters`)
  const trimmed = text.trim()
  if (trimmed === '') throw new CronFault('must not be empty')
  const pattern = trimmed.startsWith('@') ? ALIASES[trimmed.toLowerCase()] : trimmed
  if (pattern === undefined) throw new CronFault(`"${trimmed}" is not known`)
  const parts = pattern.split(/\s+/)
  if (parts.length !== 5) {
    throw new CronFault(`must have 5 fields (minute hour day month weekday), got ${parts.length}`)
  }
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, at) =>
    fieldNumbers(parts[at] ?? '', field),
  )
  const cron = {
    minutes: minutes ?? [],
    hours: hours ?? [],
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(weekdays),
    eitherDay: isRestricted(parts[2] ?? '') && isRestricted(parts[4] ?? ''),
  }
  // The starting point is irrelevant: any nine consecutive years contain every date that exists.
  if (nextCronMinute(cron, 0) === null) throw new CronFault(NEVER_STARTS)
  return cron
}

/**
 * Reads a cron pattern of five fields: numbers, names (JAN, SUN), lists, ranges, steps, `a/n` from a on, `?` for `*`, 7 for
 * Sunday, and `@yearly` to `@hourly`. `L`, `W`, `#` and `@reboot` are not supported. `fault` is the error message.
 */
export function parseCron(text: string): { ok: true; cron: Cron } | { ok: false; fault: string } {
  try {
    return { ok: true, cron: parse(text) }
  } catch (error) {
    if (error instanceof CronFault) return { ok: false, fault: error.message }
    throw error
  }
}
