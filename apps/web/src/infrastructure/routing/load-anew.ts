/** Opens a path with a fresh page: nothing of this one remains but data stored on the device. */
export function loadAnew(href: string): void {
  window.location.assign(href)
}
