import type { ChangeNote } from './change-note.ts'

/** How long a note is kept for joining tabs. */
const KEPT_MS = 60_000
/** A busy organization keeps fewer seconds. */
const MOST_NOTES = 500

/** Recent changes of the configuration: a new connection repeats some, and a joining tab missed some. */
export class RecentNotes {
  readonly #now: () => number
  readonly #notes = new Map<number, { note: ChangeNote; atMs: number }>()
  /** The feed is complete since this time, in milliseconds since the epoch. */
  #since: number

  constructor(now: () => number) {
    this.#now = now
    this.#since = now()
  }

  /** The connection sends every event since this time. */
  startAt(sinceMs: number): void {
    this.#since = sinceMs
  }

  /** Whether a note is new; it is then kept. Notes without an audit entry always are. */
  isNew(note: ChangeNote): boolean {
    if (note.change === null) return true
    const isNew = !this.#notes.has(note.change.entryId)
    if (isNew) this.#notes.set(note.change.entryId, { note, atMs: this.#now() })
    this.#forget()
    return isNew
  }

  /** The recent notes, and the time since which they are complete. */
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
      // Events are sent after their change, so each later change was also sent later.
      this.#since = Math.max(this.#since, atMs)
      index += 1
    }
  }
}
