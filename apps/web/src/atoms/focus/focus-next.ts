import { type RefObject, useLayoutEffect, useRef } from 'react'

/** About half a second: menus and dialogs that close give the focus back first. */
const MOST_FRAMES = 30

/**
 * When what had the focus is gone, gives it to what `find` finds then, so that it does not stay with the page, where a keyboard
 * begins anew. A focus that is somewhere stays there. Of several calls, the last one holds.
 */
export function focusNext(find: () => Element | null | undefined): void {
  latest += 1
  look(find, latest, MOST_FRAMES)
}

let latest = 0

function look(find: () => Element | null | undefined, own: number, frames: number): void {
  requestAnimationFrame(() => {
    if (own !== latest) return
    if (hasNoFocus()) {
      const next = find()
      if (next instanceof HTMLElement) next.focus()
      if (!hasNoFocus()) return
    }
    if (frames > 0) look(find, own, frames - 1)
  })
}

/** {@link focusNext} when a part goes away that has the focus. */
export function useFocusAfter(part: RefObject<Element | null>, find: () => Element | null | undefined): void {
  const newest = useRef(find)
  newest.current = find
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (element?.contains(document.activeElement)) focusNext(() => newest.current())
    }
  }, [part])
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
