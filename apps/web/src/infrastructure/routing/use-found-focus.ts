import { useEffect, useRef } from 'react'

/**
 * Puts the focus on the heading of the page when another place was opened and what had the focus is gone, so that the keyboard and
 * screen readers go on there.
 */
export function useFoundFocus(place: string): void {
  const former = useRef(place)
  useEffect(() => {
    if (former.current === place) return
    former.current = place
    // What the page focuses by itself comes first, and so does a menu that gives the focus back.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(focusHeading)
    })
    return () => cancelAnimationFrame(frame)
  }, [place])
}

function focusHeading(): void {
  const { activeElement, body } = document
  if (activeElement !== null && activeElement !== body) return
  const heading = document.querySelector<HTMLElement>('#content h1[tabindex]')
  const target = heading ?? document.getElementById('content')
  target?.focus({ preventScroll: true })
}
