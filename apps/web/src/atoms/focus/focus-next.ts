import { type RefObject, useLayoutEffect, useRef } from 'react'

/** About half a second: menus and dialogs that close restore the focus first. */
const MOST_FRAMES = 30

/**
 * If the focused element is gone, focuses the result of `find`, so that the focus does not fall back to the page. An existing focus
 * stays. Of several calls, the last one wins.
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

/** Focuses the element created by a press, as soon as `find` finds it; a menu or dialog around the press closes first. */
export function focusMade(find: () => Element | null | undefined): void {
  latest += 1
  lookForMade(find, latest, MOST_FRAMES)
}

function lookForMade(find: () => Element | null | undefined, own: number, frames: number): void {
  requestAnimationFrame(() => {
    if (own !== latest) return
    const made = document.activeElement?.closest('[role="menu"],[role="dialog"]') ? null : find()
    if (made instanceof HTMLElement) made.focus()
    else if (frames > 0) lookForMade(find, own, frames - 1)
  })
}

/** The heading of the page, the focus target if a part leaves nothing else nearby. */
export function pageHeading(): Element | null {
  return document.querySelector('#content h1[tabindex]')
}

/**
 * Whether nothing of the page has the focus: a dialog or a menu above it has it, or it was lost when one of them
 * closed.
 */
export function isOffPage(): boolean {
  return (
    hasNoFocus() ||
    document.activeElement?.closest('[role="dialog"],[role="alertdialog"],[role="menu"]') != null
  )
}

/**
 * {@link focusNext} when a part that has the focus is removed.
 *
 * @param isMeant whether a focus elsewhere returns to the part, such as from a dialog opened there
 */
export function useFocusAfter(
  part: RefObject<Element | null>,
  find: () => Element | null | undefined,
  isMeant: () => boolean = () => false,
): void {
  const newest = useRef({ find, isMeant })
  newest.current = { find, isMeant }
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      const hadFocus = element?.contains(document.activeElement) || newest.current.isMeant()
      if (hadFocus) focusNext(() => newest.current.find())
    }
  }, [part])
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
