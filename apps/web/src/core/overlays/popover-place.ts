/** The edges of an element in the window, in CSS pixels from its upper left corner. */
export interface PopoverAnchor {
  left: number
  right: number
  top: number
  bottom: number
}

/** The current edges of a popover's anchor. */
export type AnchorNow = () => PopoverAnchor

/** Where a popover is, in CSS pixels: below its anchor from `top`, or above it up to `bottom`. The other one is null. */
interface PopoverPlace {
  left: number
  top: number | null
  /** The distance from the bottom of the window. */
  bottom: number | null
  /** The room for its height. */
  height: number
}

const GAP = 6
/** The margin at each side of the window. */
const EDGE = 8
/** With less room below its anchor, a popover is above it, if there is more. */
const ENOUGH = 280
/** With less room on both sides, a popover cannot open at its anchor. */
const LEAST = 160

/**
 * The place of a popover at the element that opened it.
 *
 * @param most the popover's greatest height, in CSS pixels
 * @returns null if the element is outside the window, or leaves too little room
 */
export function popoverPlace(
  anchor: PopoverAnchor,
  { width, height }: { width: number; height: number },
  popover: { width: number; most: number },
): PopoverPlace | null {
  if (anchor.bottom < 0 || anchor.top > height || anchor.left > width) return null
  const below = height - anchor.bottom - GAP - EDGE
  const above = anchor.top - GAP - EDGE
  const isAbove = below < ENOUGH && above > below
  const room = isAbove ? above : below
  if (room < LEAST) return null
  return {
    left: leftOf(anchor, width - EDGE, popover.width),
    top: isAbove ? null : anchor.bottom + GAP,
    bottom: isAbove ? height - anchor.top + GAP : null,
    height: Math.min(popover.most, room),
  }
}

/** Aligned with the left edge of the anchor, or with its right edge if the popover would leave the window. */
function leftOf({ left, right }: PopoverAnchor, end: number, width: number): number {
  return Math.max(EDGE, left + width <= end ? left : Math.min(right, end) - width)
}
