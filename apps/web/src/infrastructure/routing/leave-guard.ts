import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hasStoppedKeeping } from '../storage/browser-database.ts'

/** An attempt to leave the page that was held; null: nobody is leaving. */
export interface HeldLeave {
  leave(): void
  stay(): void
}

/**
 * While active, holds every way off the page: links are asked about here, closing the tab by the browser itself. A sign-out of any tab is
 * not held, because this one would stay readable below the question.
 */
export function useLeaveGuard(isActive: boolean): HeldLeave | null {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: () => isActive && !hasStoppedKeeping(),
    disabled: !isActive,
    withResolver: true,
  })
  return status === 'blocked' ? { leave: proceed, stay: reset } : null
}

/** While active, the browser asks before the tab is closed or loaded anew; places of the builder stay free to go to. */
export function useCloseGuard(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!hasStoppedKeeping()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isActive])
}
