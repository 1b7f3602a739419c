/** One value outside React that components can subscribe to. */
export interface ValueStore<T> {
  get(): T
  set(value: T): void
  /** Calls back after each change; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** Whether there are subscribers. */
  readonly isFollowed: boolean
}

export function createValueStore<T>(initial: T): ValueStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get isFollowed() {
      return listeners.size > 0
    },
  }
}
