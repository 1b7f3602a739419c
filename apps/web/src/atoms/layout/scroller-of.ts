/** What scrolls around an element: its next holder with a scroll bar of its own, else the page. */
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
