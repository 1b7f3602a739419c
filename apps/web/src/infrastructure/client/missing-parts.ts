const missing = new WeakSet<object>()

// Vite emits it before it throws: the file belongs to a build that the server no longer has, or the network is lost.
addEventListener('vite:preloadError', (event) => {
  const error: unknown = Reflect.get(event, 'payload')
  if (typeof error === 'object' && error !== null) missing.add(error)
})

/** Whether an error means that a part of the builder could not be loaded. */
export function isMissingPart(error: unknown): boolean {
  return typeof error === 'object' && error !== null && missing.has(error)
}
