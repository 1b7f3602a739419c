/** Times of day between which a trunk does not call; `to` may be on the next day. */
export interface QuietHours {
  /** `HH:MM`, inclusive. */
  from: string
  /** `HH:MM`, exclusive. */
  to: string
  /** IANA name, such as `Europe/Paris`. */
  timezone: string
}

/**
 * Whether no call may be placed now.
 *
 * @param now milliseconds since the epoch
 */
export function isQuiet(quiet: QuietHours | null, now: number): boolean {
  if (quiet === null) return false
  const time = timeOfDay(quiet.timezone, now)
  return quiet.from <= quiet.to
    ? quiet.from <= time && time < quiet.to
    : quiet.from <= time || time < quiet.to
}

/** Whether the name is that of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

/** `HH:MM` in the zone. */
function timeOfDay(timezone: string, now: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
}
