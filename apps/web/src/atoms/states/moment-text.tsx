import { useEffect, useState } from 'react'
import { fullTime, type Moment, millisecondsOf, relativeTime } from '../../core/format/times.ts'

const MINUTE_MS = 60_000

/** "3 minutes ago", with the exact time on pointing and for screen readers. It stays true while the page is open. */
export function MomentText({ at, none = '–' }: { at: Moment | null; none?: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  if (at === null) return <span>{none}</span>
  return (
    <time dateTime={new Date(millisecondsOf(at)).toISOString()} title={fullTime(at)}>
      {relativeTime(at, now)}
    </time>
  )
}
