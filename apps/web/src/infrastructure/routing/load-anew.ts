/** Opens a place with a fresh page: nothing of this one stays but what is kept on the device. */
export function loadAnew(href: string): void {
  window.location.assign(href)
}
