const missing = new WeakSet<object>()

// Vite says so before it throws: the file belongs to a build that the server no longer has, or the network is gone.
addEventListener('vite:preloadError', (event) => {
  const error: unknown = Reflect.get(event, 'payload')
  if (typeof error === 'object' && error !== null) missing.add(error)
})

/** Whether an error says that a part of the builder could not be loaded. */
export function isMissingPart(error: unknown): boolean {
  return typeof error === 'object' && error !== null && missing.has(error)
}
