import { useEffect, useRef } from 'react'
import { focusableHeading, keepFoundFocus } from './found-focus.ts'

/**
 * Puts the focus on the heading of the page when another place was opened and what had the focus is gone, so that the keyboard and
 * screen readers go on there.
 */
export function useFoundFocus(place: string): void {
  const former = useRef(place)
  const formerHeading = useRef<Element | null>(null)
  // Before anything is drawn, the page still has the heading of the place before.
  if (former.current !== place) formerHeading.current ??= focusableHeading()
  useEffect(() => {
    if (former.current === place) return
    former.current = place
    const old = formerHeading.current
    formerHeading.current = null
    // A page that opens another one by itself, before anybody did anything, has no focus to keep; one on the heading would be framed.
    if (!navigator.userActivation.hasBeenActive) return
    return keepFoundFocus(old)
  }, [place])
}
