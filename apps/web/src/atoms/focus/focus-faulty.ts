const CONTROL = 'input:not([type="hidden"]),textarea,button'

/**
 * Gives the focus to the first faulty field of a part that was sent in vain, once its errors are on the page. The field comes to the
 * middle of the window, clear of bars at its ends.
 */
export function focusFaulty(part: Element | null): void {
  const control = part?.querySelector('[data-invalid]')?.querySelector<HTMLElement>(CONTROL)
  if (!control) return
  control.focus({ preventScroll: true })
  control.scrollIntoView({ block: 'center' })
}
