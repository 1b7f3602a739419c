import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hasStoppedKeeping } from '../storage/browser-database.ts'

/** A held attempt to leave the page; null: none. */
export interface HeldLeave {
  leave(): void
  stay(): void
}

/**
 * While active, intercepts every way to leave the page: links show a dialog here, closing the tab shows the browser's.
 * A sign-out of any tab is not held, because this page would stay readable below the dialog.
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

/** While active, the browser asks before the tab is closed or reloaded; pages of the builder are free to open. */
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
