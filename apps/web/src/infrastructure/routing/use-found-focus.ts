import { useEffect, useRef } from 'react'

/** How long a page may take to be there. */
const PATIENCE_MS = 10_000
/** After this time, the heading of the page before is the one of this page, too. */
const SAME_PAGE_MS = 500
/** What the page focuses by itself comes first, and so does a menu that gives the focus back. */
const QUIET_FRAMES = 2

/**
 * Puts the focus on the heading of the page when another place was opened and what had the focus is gone, so that the keyboard and
 * screen readers go on there.
 */
export function useFoundFocus(place: string): void {
  const former = useRef(place)
  const formerHeading = useRef<Element | null>(null)
  // Before anything is drawn, the page still has the heading of the place before.
  if (former.current !== place) formerHeading.current ??= heading()
  useEffect(() => {
    if (former.current === place) return
    former.current = place
    const old = formerHeading.current
    formerHeading.current = null
    return keepFound(old)
  }, [place])
}

/**
 * Watches a page that arrives in steps: the page before is left in the place until the next one is there, and that one may first
 * show what it waits for. It ends when the person goes on elsewhere. Returns how to stop.
 *
 * @param old the heading of the page before
 */
function keepFound(old: Element | null): () => void {
  const startedMs = performance.now()
  // What may still go away with the page before.
  const before = document.activeElement
  let found: Element | null = null
  let quietFrames = 0
  let frame = requestAnimationFrame(look)
  function look(): void {
    const passedMs = performance.now() - startedMs
    const now = heading()
    const isThere = now !== null && (now !== old || passedMs > SAME_PAGE_MS)
    const { activeElement, body } = document
    const hasNone = activeElement === null || activeElement === body
    quietFrames = isThere ? quietFrames + 1 : 0
    if (hasNone && quietFrames >= QUIET_FRAMES) {
      now?.focus({ preventScroll: true })
      found = now
    }
    const isElsewhere =
      !hasNone && quietFrames > QUIET_FRAMES && activeElement !== found && activeElement !== before
    if (!isElsewhere && passedMs < PATIENCE_MS) frame = requestAnimationFrame(look)
    else if (hasNone) document.getElementById('content')?.focus({ preventScroll: true })
  }
  const stop = () => {
    cancelAnimationFrame(frame)
    removeEventListener('pointerdown', stop, true)
    removeEventListener('keydown', stop, true)
  }
  // The person goes on by themselves.
  addEventListener('pointerdown', stop, true)
  addEventListener('keydown', stop, true)
  return stop
}

function heading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#content h1[tabindex]')
}
