import type { Param } from './search-params.ts'

/** A day of the calendar, `2026-11-23`; null when absent, or not a day from 2000 on. */
export const dayParam: Param<string | null> = {
  read: (text) => (text !== null && isDay(text) ? text : null),
  write: (value) => value,
}

/** Whether a text is a day of the calendar, `2026-11-23`, from 2000 on: dates that are half typed have earlier years. */
export function isDay(text: string): boolean {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** When a day begins for the reader, or the one `later` days after it. */
export function beginningOfDay(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later)
}
