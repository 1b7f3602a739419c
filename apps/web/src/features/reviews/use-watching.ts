import { usePlace } from '../../infrastructure/sign-in/session.ts'

const WATCH_MS = 10_000

/** Updates the page with others' changes: reviewers get no events, so their pages poll. */
export function useWatching(): { everyMs?: number } {
  const { may } = usePlace()
  return may('read') ? {} : { everyMs: WATCH_MS }
}
