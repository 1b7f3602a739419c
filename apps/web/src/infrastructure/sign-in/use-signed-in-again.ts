import { useEffect, useRef } from 'react'
import { signedOut } from '../client/server-signals.ts'

/** Runs after a new sign-in over the page: refused requests may be repeated. */
export function useSignedInAgain(run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(
    () =>
      signedOut.subscribe(() => {
        if (!signedOut.get()) latest.current()
      }),
    [],
  )
}
