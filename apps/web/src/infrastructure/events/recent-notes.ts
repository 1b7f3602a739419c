import type { ChangeNote } from './change-note.ts'

/** How long a note is kept for tabs that join. */
const KEPT_MS = 60_000
/** A busy organization keeps fewer seconds. */
const MOST_NOTES = 500

/** The changes of the configuration that were told last: a new connection repeats some, and a tab that joins missed some. */
export class RecentNotes {
  readonly #now: () => number
  readonly #notes = new Map<number, { note: ChangeNote; atMs: number }>()
  /** Everything since then was told, in milliseconds since the epoch. */
  #since: number

  constructor(now: () => number) {
    this.#now = now
    this.#since = now()
  }

  /** A connection tells everything since then. */
  startAt(sinceMs: number): void {
    this.#since = sinceMs
  }

  /** Whether a note was not told before; it is kept. Notes without an entry of the audit log always are. */
  isNew(note: ChangeNote): boolean {
    if (note.change === null) return true
    const isNew = !this.#notes.has(note.change.entryId)
    if (isNew) this.#notes.set(note.change.entryId, { note, atMs: this.#now() })
    this.#forget()
    return isNew
  }

  /** What was told, and since when that is everything. */
  all(): { since: number; notes: ChangeNote[] } {
    this.#forget()
    return { since: this.#since, notes: [...this.#notes.values()].map(({ note }) => note) }
  }

  #forget(): void {
    const excess = this.#notes.size - MOST_NOTES
    let index = 0
    for (const [entryId, { atMs }] of this.#notes) {
      if (index >= excess && atMs >= this.#now() - KEPT_MS) break
      this.#notes.delete(entryId)
      // A change was told after it was made, so everything later than this was told after it, too.
      this.#since = Math.max(this.#since, atMs)
      index += 1
    }
  }
}
