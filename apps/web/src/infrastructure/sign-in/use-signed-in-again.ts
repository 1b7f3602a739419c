import { useEffect, useRef } from 'react'
import { signedOut } from '../client/server-signals.ts'

/** Runs when somebody has signed in again over the page: what was refused for it may be sent again. */
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
