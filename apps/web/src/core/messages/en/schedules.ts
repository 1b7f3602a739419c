import { counted } from '../../format/numbers.ts'

/** Texts of the schedule of a Recurrence. */
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
  /** `lacks` is a predicate: "must have 5 fields". */
  notYet: (lacks: string) => `Not a pattern yet: ${lacks}.`,
  sentence: (words: string) => `${words}.`,
  never: 'It never starts: no date within 9 years matches.',
  nextIn: (zone: string) => `Next starts in ${zone}`,
  start: 'Start',
  now: 'Now',
  fromNow: (span: string) => `in ${span}`,
  later: (span: string) => `${span} later`,
  minutesLong: (count: number) => `${count} min`,
  hoursLong: (count: number) => `${count} h`,
  daysLong: (count: number) => counted(count, 'day', 'days'),
  dayRules: {
    either: 'Runs when the day of the month or the weekday matches, because neither field begins with *.',
    both: 'Runs when the day of the month and the weekday both match, because one field begins with *.',
  },
  clockChange: (when: string, isFrequent: boolean) =>
    isFrequent
      ? `The clocks change on ${when}: skipped times do not fire, repeated ones fire twice.`
      : `The clocks change on ${when}: a skipped time fires right after the change, a repeated one only once.`,
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
