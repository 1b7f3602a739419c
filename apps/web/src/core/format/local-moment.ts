/**
 * A moment in the format of a browser's input, to the minute in the reader's time zone: `2026-11-23T14:05`; '' for
 * null.
 */
export function localMoment(seconds: number | null): string {
  if (seconds === null) return ''
  const date = new Date(seconds * 1_000)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The moment of such a text in Unix seconds; null when it is none. */
export function momentOfLocal(text: string): number | null {
  const ms = new Date(text).getTime()
  return Number.isNaN(ms) || ms <= 0 ? null : Math.floor(ms / 1_000)
}
