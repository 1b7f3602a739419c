/** A timer that can be called off. */
export interface Alarm {
  cancel(): void
}

/** Milliseconds, 24.8 days. Node fires longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Rings once, when `now()` has reached `at` (milliseconds since the epoch), however far away that is. It does not keep
 * the process alive.
 */
export function setAlarm(at: number, now: () => number, ring: () => void): Alarm {
  let timer: NodeJS.Timeout
  const wind = () => {
    timer = setTimeout(check, Math.min(Math.max(at - now(), 0), LONGEST_TIMER_MS))
    timer.unref()
  }
  // Timers may fire a moment early, and the longest ones end before their time.
  const check = () => (now() >= at ? ring() : wind())
  wind()
  return { cancel: () => clearTimeout(timer) }
}
