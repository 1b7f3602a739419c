/** A hovered cell with truncated text shows all of it in a tooltip. Measured only then, because it forces a layout of the table. */
export function tellCutText({ target }: { target: EventTarget }): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td,th') : null
  if (!cell) return
  if ([cell, ...cell.querySelectorAll('span,code')].some(isCut)) cell.title = cell.innerText.trim()
  else cell.removeAttribute('title')
}

/** Texts for screen readers only have a box of one pixel. */
function isCut({ clientWidth, scrollWidth }: Element): boolean {
  return clientWidth > 1 && scrollWidth > clientWidth
}
