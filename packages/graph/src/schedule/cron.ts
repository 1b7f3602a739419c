/** Minutes since 1970-01-01 00:00 of wall-clock time, independent of any zone. */
export type WallMinute = number

const DAY = 24 * 60
/** Search horizon for the next fire: February 29 can be eight years away. */
export const MAX_DAYS = 9 * 366

/** A pattern of five fields, as the numbers that each field matches. */
export interface Cron {
  minutes: readonly number[]
  hours: readonly number[]
  days: ReadonlySet<number>
  months: ReadonlySet<number>
  /** 0 is Sunday. */
  weekdays: ReadonlySet<number>
  /** Neither the day nor the weekday begins with `*`, so a match of either is enough. */
  eitherDay: boolean
}

/** Year, month (1–12), day and weekday of a day number since 1970-01-01. */
function dateOf(day: number): { month: number; date: number; weekday: number; nextMonth: number } {
  const date = new Date(day * DAY * 60_000)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  return {
    month: month + 1,
    date: date.getUTCDate(),
    weekday: date.getUTCDay(),
    nextMonth: Date.UTC(year, month + 1, 1) / (DAY * 60_000),
  }
}

function matchesDay({ days, weekdays, eitherDay }: Cron, date: number, weekday: number): boolean {
  const isDay = days.has(date)
  const isWeekday = weekdays.has(weekday)
  return eitherDay ? isDay || isWeekday : isDay && isWeekday
}

/** The first matching minute of a day, not before a given minute; null if there is none. */
function minuteOfDay({ hours, minutes }: Cron, from: number): number | null {
  for (const hour of hours) {
    if (hour * 60 + 59 < from) continue
    const minute = minutes.find((candidate) => hour * 60 + candidate >= from)
    if (minute !== undefined) return hour * 60 + minute
  }
  return null
}

/** The next wall-clock minute that a pattern matches; null if there is none within nine years. */
export function nextCronMinute(cron: Cron, after: WallMinute): WallMinute | null {
  const first = Math.floor((after + 1) / DAY)
  let from = after + 1 - first * DAY
  for (let day = first; day <= first + MAX_DAYS; ) {
    const { month, date, weekday, nextMonth } = dateOf(day)
    const isMonth = cron.months.has(month)
    const minute = isMonth && matchesDay(cron, date, weekday) ? minuteOfDay(cron, from) : null
    if (minute !== null) return day * DAY + minute
    day = isMonth ? day + 1 : nextMonth
    from = 0
  }
  return null
}
