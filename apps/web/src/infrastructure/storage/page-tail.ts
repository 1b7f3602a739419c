const PREFIX = 'troupe.tail/'

/**
 * Leaves a value for the next page where writing is synchronous, because a page that goes away does not wait for IndexedDB.
 * A full or forbidden storage leaves nothing.
 */
export function leaveTail(place: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + place, JSON.stringify(value))
  } catch {
    // The write to IndexedDB is under way, too, and mostly succeeds.
  }
}

/** The value that a former page left, once; undefined when there is none. */
export function takeTail(place: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + place)
    if (text === null) return undefined
    dropTail(place)
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Forgets what was left, because a newer value is where it belongs. */
export function dropTail(place: string): void {
  try {
    localStorage.removeItem(PREFIX + place)
  } catch {
    // A forbidden storage has nothing.
  }
}

/** Forgets what every page has left. */
export function clearTails(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
  } catch {
    // A forbidden storage has nothing.
  }
}
