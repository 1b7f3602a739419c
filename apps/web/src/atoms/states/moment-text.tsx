import { useSyncExternalStore } from 'react'
import { serverNow } from '../../core/format/server-clock.ts'
import { fullTime, type Moment, millisecondsOf, relativeTime } from '../../core/format/times.ts'

const MINUTE_MS = 60_000

const listeners = new Set<() => void>()
let minutes = 0
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all moments of the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    minutes += 1
    for (const one of listeners) one()
  }, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * "3 minutes ago", with the exact time on pointing and for screen readers. It is kept up to date while the page is
 * open.
 */
export function MomentText({ at, none = '–' }: { at: Moment | null; none?: string }) {
  useSyncExternalStore(subscribe, () => minutes)
  if (at === null) return <span data-none>{none}</span>
  return (
    <time dateTime={new Date(millisecondsOf(at)).toISOString()} title={fullTime(at)}>
      {relativeTime(at, serverNow())}
    </time>
  )
}
