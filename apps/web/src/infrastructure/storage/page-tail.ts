const PREFIX = 'troupe.tail/'

let isLeft = true

/**
 * Stores a value for the next page synchronously, because an unloading page does not wait for IndexedDB. A full or
 * forbidden storage stores nothing.
 */
export function leaveTail(place: string, value: unknown): void {
  if (!isLeft) return
  try {
    localStorage.setItem(PREFIX + place, JSON.stringify(value))
  } catch {
    // The write to IndexedDB is in progress, too, and usually succeeds.
  }
}

/** The value left by an earlier page; undefined without one. It is kept until it is deleted. */
export function readTail(place: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + place)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The places with a prefix at which a previous page has left a value. */
export function tailsBelow(places: string): string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + places))
    return keys.map((key) => key.slice(PREFIX.length))
  } catch {
    return []
  }
}

/** Deletes the left value, because a newer one has been stored. */
export function dropTail(place: string): void {
  try {
    localStorage.removeItem(PREFIX + place)
  } catch {
    // A forbidden storage has nothing.
  }
}

/** From now on this page leaves nothing. */
export function stopTails(): void {
  isLeft = false
}

/** Deletes the values left at places with a prefix. */
export function clearTails(places: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX + places)) localStorage.removeItem(key)
    }
  } catch {
    // A forbidden storage has nothing.
  }
}
