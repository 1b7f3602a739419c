/** How long a page may take to appear. */
const PATIENCE_MS = 10_000
/** After this time, the heading of the previous page is the one of this page, too. */
const SAME_PAGE_MS = 500
/** The page's own focus takes precedence, and so does a menu that returns the focus. */
const QUIET_FRAMES = 2
/** Elements that disappear with the previous page, or with the overlay that opened this one. */
const PASSING = '#content,[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]'

/** The heading of the page that is shown, if it takes the focus. */
export function focusableHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#content h1[tabindex]')
}

/**
 * Watches a page that arrives in steps: the previous page stays until the next one is ready, and that one may first show a loading
 * state. It ends when the user moves the focus elsewhere. Returns a function that stops it.
 *
 * @param old the heading of the previous page
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
  // The user moves the focus themselves.
  addEventListener('pointerdown', stop, true)
  addEventListener('keydown', onKeyDown, true)
  return stop
}
