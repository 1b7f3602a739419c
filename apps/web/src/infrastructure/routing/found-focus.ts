/** How long a page may take to be there. */
const PATIENCE_MS = 10_000
/** After this time, the heading of the page before is the one of this page, too. */
const SAME_PAGE_MS = 500
/** What the page focuses by itself comes first, and so does a menu that gives the focus back. */
const QUIET_FRAMES = 2
/** What goes away with the page before, or with the overlay that this one was opened from. */
const PASSING = '#content,[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]'

/** The heading of the page that is shown, if it takes the focus. */
export function focusableHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#content h1[tabindex]')
}

/**
 * Watches a page that arrives in steps: the page before is left in the place until the next one is there, and that one may first
 * show what it waits for. It ends when the person goes on elsewhere. Returns how to stop.
 *
 * @param old the heading of the page before
 */
export function keepFoundFocus(old: Element | null): () => void {
  const startedMs = performance.now()
  const before = document.activeElement
  const isBeforePassing = before?.closest(PASSING) != null
  let found: Element | null = null
  let quietFrames = 0
  let frame = requestAnimationFrame(look)
  function look(): void {
    const passedMs = performance.now() - startedMs
    const now = focusableHeading()
    const isThere = now !== null && (now !== old || passedMs > SAME_PAGE_MS)
    const { activeElement, body } = document
    const hasNone = activeElement === null || activeElement === body
    quietFrames = isThere ? quietFrames + 1 : 0
    if (hasNone && quietFrames >= QUIET_FRAMES) {
      now?.focus({ preventScroll: true })
      found = now
    }
    const mayPass = activeElement === found || (activeElement === before && isBeforePassing)
    const isElsewhere = !hasNone && quietFrames > QUIET_FRAMES && !mayPass
    if (!isElsewhere && passedMs < PATIENCE_MS) {
      frame = requestAnimationFrame(look)
      return
    }
    stop()
    if (hasNone) document.getElementById('content')?.focus({ preventScroll: true })
  }
  // Other keys leave the focus where it is, such as the one that opened the page and is still held down.
  const onKeyDown = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
    if (key === 'Tab' && !altKey && !ctrlKey && !metaKey) stop()
  }
  function stop(): void {
    cancelAnimationFrame(frame)
    removeEventListener('pointerdown', stop, true)
    removeEventListener('keydown', onKeyDown, true)
  }
  // The person goes on by themselves.
  addEventListener('pointerdown', stop, true)
  addEventListener('keydown', onKeyDown, true)
  return stop
}
