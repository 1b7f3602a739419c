import type { AnchorNow } from '../../core/overlays/popover-place.ts'

/**
 * The anchor of a popover that opens now: the pressed button, or the row with the keyboard focus.
 *
 * @param fallback its element when the focus is on nothing of the page, such as in a menu that closes
 * @returns the edges of the element, the last ones once it is gone or hidden; null if there is no element: the popover is centered
 */
export function focusedAnchor(fallback: () => Element | null): AnchorNow | null {
  const focused = document.activeElement
  const isOnPage =
    focused !== null && focused !== document.body && !focused.closest('[role="menu"],[role="dialog"]')
  const element = isOnPage ? focused : fallback()
  if (element === null) return null
  let last = element.getBoundingClientRect()
  return () => {
    const now = element.getBoundingClientRect()
    if (now.width > 0) last = now
    return last
  }
}
