import { useEffect, useRef } from 'react'
import { focusableHeading, keepFoundFocus } from './found-focus.ts'

/**
 * Focuses the heading of the page when another page was opened and the focused element is gone, so that the keyboard and screen
 * readers continue there.
 */
export function useFoundFocus(place: string): void {
  const former = useRef(place)
  const formerHeading = useRef<Element | null>(null)
  // Before the first render, the page still has the previous heading.
  if (former.current !== place) formerHeading.current ??= focusableHeading()
  useEffect(() => {
    if (former.current === place) return
    former.current = place
    const old = formerHeading.current
    formerHeading.current = null
    // An automatic redirect before any user action has no focus to keep; a focused heading would have an outline.
    if (!navigator.userActivation.hasBeenActive) return
    return keepFoundFocus(old)
  }, [place])
}
