const CONTROL = 'input:not([type="hidden"]),textarea,button'

/**
 * Focuses the first invalid field of a part whose submission was refused, once its errors are rendered. The field is
 * scrolled to the middle of the window, clear of the bars at its edges.
 */
export function focusFaulty(part: Element | null): void {
  const control = part?.querySelector('[data-invalid]')?.querySelector<HTMLElement>(CONTROL)
  if (!control) return
  control.focus({ preventScroll: true })
  control.scrollIntoView({ block: 'center' })
}
