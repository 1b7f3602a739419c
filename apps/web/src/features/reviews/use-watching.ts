import { usePlace } from '../../infrastructure/sign-in/session.ts'

const WATCH_MS = 10_000

/** How what others change gets to the page: reviewers get no events, so their pages ask. */
export function useWatching(): { everyMs?: number } {
  const { may } = usePlace()
  return may('read') ? {} : { everyMs: WATCH_MS }
}
