/**
 * A cell that the pointer is over and whose text is cut says all of it on pointing. Asked only then, because it lays the
 * table out.
 */
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
