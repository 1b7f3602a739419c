/** The scroll container of an element: its nearest scrollable ancestor, else the page. */
export function scrollerOf(element: Element | null): Element {
  for (
    let holder = element?.parentElement;
    holder && holder !== document.body;
    holder = holder.parentElement
  ) {
    if (/auto|scroll/.test(getComputedStyle(holder).overflowY)) return holder
  }
  return document.documentElement
}
