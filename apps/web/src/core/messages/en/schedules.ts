/** Texts of when a Recurrence fires. */
export const scheduleTexts = {
  days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  none: 'No times yet',
  /** A pattern that has no short words. */
  pattern: (cron: string) => `Cron pattern ${cron}`,
  /** What follows is what the pattern lacks: "must have 5 fields". */
  notYet: (lacks: string) => `Not a pattern yet: ${lacks}.`,
  preview: (words: string, next: readonly string[]) => `${words}. Next: ${next.join('; ')}.`,
  minutely: 'Every minute',
  minutes: (every: string) => `Every ${every} minutes`,
  hourly: (minute: string) => (minute === '00' ? 'Every hour' : `Every hour at :${minute}`),
  hours: (every: string, minute: string) =>
    minute === '00' ? `Every ${every} hours` : `Every ${every} hours at :${minute}`,
  at: (times: string) => `At ${times}`,
  daily: (words: string) => `${words} at 00:00`,
  every: (what: string) => `Every ${what}`,
  daysOfMonth: (days: string, count: number) => `on ${count === 1 ? 'day' : 'days'} ${days} of the month`,
  range: (from: string, to: string) => `${from} to ${to}`,
  inMonths: (months: string) => `in ${months}`,
} as const
