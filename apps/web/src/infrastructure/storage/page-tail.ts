const PREFIX = 'troupe.tail/'

let isLeft = true

/**
 * Leaves a value for the next page where writing is synchronous, because a page that goes away does not wait for IndexedDB.
 * A full or forbidden storage leaves nothing.
 */
export function leaveTail(place: string, value: unknown): void {
  if (!isLeft) return
  try {
    localStorage.setItem(PREFIX + place, JSON.stringify(value))
  } catch {
    // The write to IndexedDB is under way, too, and mostly succeeds.
  }
}

/** The value left by an earlier page; undefined without one. It stays until it is dropped. */
export function readTail(place: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + place)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The places that begin with a text where a previous page left a value. */
export function tailsBelow(places: string): string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + places))
    return keys.map((key) => key.slice(PREFIX.length))
  } catch {
    return []
  }
}

/** Drops the left value, because a newer one has been stored. */
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

/** Forgets what pages have left at places that begin with a text. */
export function clearTails(places: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX + places)) localStorage.removeItem(key)
    }
  } catch {
    // A forbidden storage has nothing.
  }
}
