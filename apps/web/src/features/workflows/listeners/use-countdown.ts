import { useEffect, useState } from 'react'
import { serverNow } from '../../../core/format/server-clock.ts'

const SECOND_MS = 1_000

/** Whole seconds until a time, counting down to 0. */
export function useCountdown(until: string | null): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (until === null) return
    const timer = setInterval(() => tick((count) => count + 1), SECOND_MS)
    return () => clearInterval(timer)
  }, [until])
  return until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - serverNow()) / SECOND_MS))
}

/** `9:05` */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
