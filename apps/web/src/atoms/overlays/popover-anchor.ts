import type { PopoverAnchor } from '../../core/overlays/popover-place.ts'

/**
 * The anchor of a popover that opens now: the pressed button, or the row with the keyboard focus.
 *
 * @param fallback its element when the focus is on nothing of the page, such as in a menu that closes
 * @returns null if there is no element: the popover is centered
 */
export function focusedAnchor(fallback: () => Element | null): PopoverAnchor | null {
  const focused = document.activeElement
  const isOnPage =
    focused !== null && focused !== document.body && !focused.closest('[role="menu"],[role="dialog"]')
  return (isOnPage ? focused : fallback())?.getBoundingClientRect() ?? null
}
