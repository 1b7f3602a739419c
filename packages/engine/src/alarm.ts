/** A timer that can be cancelled. */
export interface Alarm {
  cancel(): void
}

/** Milliseconds, 24.8 days. Node fires longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Fires once, when `now()` has reached `at` (milliseconds since the epoch), however distant. It does not keep
 * the process alive.
 */
export function setAlarm(at: number, now: () => number, ring: () => void): Alarm {
  let timer: NodeJS.Timeout
  const wind = () => {
    timer = setTimeout(check, Math.min(Math.max(at - now(), 0), LONGEST_TIMER_MS))
    timer.unref()
  }
  // Timers may fire slightly early, and the longest ones are split.
  const check = () => (now() >= at ? ring() : wind())
  wind()
  return { cancel: () => clearTimeout(timer) }
}
