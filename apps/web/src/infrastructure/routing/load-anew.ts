/** Opens a place with a fresh page: nothing of this one stays but what is kept on the device. */
export function loadAnew(href: string): void {
  window.location.assign(href)
}

/** The same in the place of this page, whose address leads nowhere any more. */
export function loadInstead(href: string): void {
  window.location.replace(href)
}
