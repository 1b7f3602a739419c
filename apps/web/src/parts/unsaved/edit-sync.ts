import type { IdText, UnsavedChangesId } from '@troupe/contract'
import { afterLook, isUnwritten, type Joining } from './after-look.ts'
import { type AgreedEdit, isSameEdit, type RemoteEdit, type WrittenEdit } from './agreed-edit.ts'
import type { BasedEdit, StoredEdit } from './based-edit.ts'

/** Milliseconds from the last key to a write, and the most from the first one. */
const REST_MS = 1000
const LATEST_MS = 5000
/** Delay of a write of an edit that another tab has typed: that tab usually writes it. */
const OTHERS_MS = 10_000
const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 30_000

/** The result of a request. `refused`: the next key retries. */
export type SyncOutcome = 'stored' | 'conflict' | 'unreachable' | 'signedOut' | 'refused'

/** The unsaved changes that a save ends on the server. */
export interface SavedChanges {
  changeId: IdText<UnsavedChangesId>
  /** The new id of the entry. */
  settledAs: string
}

/** A request to store an edit. */
export interface EditWrite<E extends StoredEdit> extends WrittenEdit<E> {
  /** The id of the replaced edit; null: none is known. */
  replaces: string | null
  /** Whether this browser wrote the replaced edit, and knows that it was stored. */
  isOwnReplaced: boolean
}

/** The dependencies of {@link EditSync}. */
export interface EditSyncParts<E extends StoredEdit> extends Joining<E> {
  /** The server's edit; null: it knows none. Throws the outcome of a failed request. */
  look(): Promise<RemoteEdit<E> | null>
  keep(write: EditWrite<E>): Promise<SyncOutcome>
  /** Makes the saved state at least as new as the version of an edit; null: as new as the server's. Throws the outcome of a failed request. */
  readSaved(base: string | null): Promise<void>
  /** The edit of this browser, with the last key. */
  local(): BasedEdit<E> | null
  setLocal(edit: BasedEdit<E> | null): void
  agreed(): AgreedEdit<E>
  setAgreed(agreed: AgreedEdit<E>): void
  /** Whether the edit was typed in another tab of this browser. */
  isOthers(): boolean
  /** Whether the page is visible: a hidden one would overwrite keys of a visible one. */
  isShown(): boolean
  newId(): string
  now(): number
}

/**
 * Synchronizes the edit of one resource, such as an agent, with the server. Each edit is first in the browser's
 * storage, so a closed page, a lost network or an expired sign-in loses nothing.
 *
 * Requests of a page are never concurrent. Tabs and devices are ordered by the server: a write names the write that it
 * replaces. A response is used only if no other tab has agreed on a different edit in the meantime. A write without a
 * response is stored first, and repeated under its id until the server's edit shows whether it was stored.
 */
export class EditSync<E extends StoredEdit> {
  readonly #parts: EditSyncParts<E>
  #mustLook = true
  #firstAt: number | null = null
  #dueAt: number | null = null
  #retryAt = 0
  #failures = 0
  #isStuck = false
  #isHeld = false
  #isClosed = false
  #running: Promise<void> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: EditSyncParts<E>) {
    this.#parts = parts
  }

  /** The edit has changed, here or in another tab. */
  edited(): void {
    const { now, isOthers } = this.#parts
    const at = now()
    this.#firstAt ??= at
    this.#dueAt = isOthers() ? at + OTHERS_MS : Math.min(at + REST_MS, this.#firstAt + LATEST_MS)
    if (this.#isStuck) this.#retryAt = 0
    this.#isStuck = false
    this.#wake()
  }

  /** The server's edit may be another one, or the server may be reachable again. */
  news(): void {
    this.#mustLook = true
    this.#isStuck = false
    this.#retryAt = 0
    this.#wake()
  }

  /** Sends everything now. @param isLast whether the page is closing */
  flush(isLast = false): void {
    this.#dueAt = this.#parts.now()
    this.#retryAt = 0
    this.#wake()
    if (!isLast) return
    this.#isClosed = true
    void (this.#running ?? Promise.resolve()).then(() => this.#run())
  }

  /**
   * Runs a save of the agreed edit, during which no request begins. A pending one may be stored before the save, which
   * then leaves its edit on the server, or is refused after it. Another device may also have written just before the
   * save. So the server's edit is read at once, and the values that the save has ended are discarded from it.
   *
   * @param save ends these unsaved changes on the server; returns null if nothing was saved
   */
  async during<T>(save: (changes: SavedChanges | undefined) => Promise<T | null>): Promise<T | null> {
    this.#isHeld = true
    clearTimeout(this.#timer)
    const { agreed, setAgreed, newId } = this.#parts
    const { changeId, ended } = agreed()
    // Until the end of an earlier save was read, nothing is written.
    const isEnding = changeId === null || ended?.savedAs !== undefined
    const changes = isEnding ? undefined : { changeId, settledAs: newId() }
    try {
      const result = await save(changes)
      const { sent, ...now } = agreed()
      if (result !== null && changes && now.changeId === changeId) {
        this.#mustLook = true
        const { settledAs: savedAs } = changes
        setAgreed({ ...now, ended: { edit: now.edit, left: null, savedAs, ...(sent && { sent }) } })
      }
      return result
    } finally {
      this.#isHeld = false
      this.edited()
    }
  }

  #wake(): void {
    clearTimeout(this.#timer)
    if (this.#isHeld || this.#isClosed || this.#isStuck || this.#running !== null) return
    const at = Math.max(this.#nextAt(), this.#retryAt)
    if (at === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, at - this.#parts.now()))
  }

  #nextAt(): number {
    if (this.#mustLook && this.#parts.isShown()) return 0
    return this.#dueAt ?? Number.POSITIVE_INFINITY
  }

  async #run(): Promise<void> {
    if (this.#running !== null) return
    this.#running = this.#round().catch((error: unknown) => this.#failed(outcomeOf(error)))
    await this.#running
    this.#running = null
    this.#wake()
  }

  async #round(): Promise<void> {
    const { now, local, agreed, setAgreed, isShown } = this.#parts
    if (this.#mustLook && isShown()) {
      await this.#look()
      if (this.#mustLook) return
    }
    if (this.#isHeld || this.#dueAt === null || now() < this.#dueAt) return
    this.#dueAt = null
    this.#firstAt = null
    if (!isUnwritten({ local: local(), agreed: agreed() })) return
    const { sent, ...before } = agreed()
    if (this.#mustLook && before.ended) {
      // It is unknown what a write would replace. A hidden page decides when it is shown.
      this.#isStuck = true
      return
    }
    const write = sent ?? { changeId: this.#parts.newId(), edit: local() }
    setAgreed({ ...before, sent: write })
    const { changeId: replaces, isOwn: isOwnReplaced = false } = before
    const outcome = await this.#parts.keep({ ...write, replaces, isOwnReplaced })
    if (outcome === 'stored') {
      this.#failures = 0
      if (this.#isHeld || agreed().sent?.changeId !== write.changeId) {
        // A save may have ended it, or another tab has agreed on another edit.
        this.#mustLook = true
        return
      }
      setAgreed({ ...write, isOwn: true })
      if (sent === undefined) return
      this.#dueAt = now()
      return this.#round()
    }
    // A request without a sign-in says nothing about an earlier attempt of the same write, which may be stored.
    if (outcome === 'refused') this.#forget(write)
    // It is unknown whether the server has it, or what it has instead.
    this.#mustLook = true
    this.#dueAt = now()
    // A hidden page resolves it when it becomes visible.
    if (outcome === 'conflict') this.#isStuck = !isShown()
    else this.#failed(outcome)
  }

  async #look(): Promise<void> {
    const { look, local, setLocal, agreed, setAgreed } = this.#parts
    const before = agreed()
    const remote = await look()
    // A save, or another tab that has written or read in the meantime: this response may be older.
    if (this.#isHeld || agreed() !== before) return
    if (remote && remote.changeId !== before.changeId) {
      await this.#parts.readSaved(remote.edit?.base ?? null)
      if (this.#isHeld || agreed() !== before) return
    }
    const after = afterLook({ local: local(), agreed: before }, remote, this.#parts)
    if (!isSameEdit(after.local, local())) setLocal(after.local)
    if (after.agreed !== before) setAgreed(after.agreed)
    this.#mustLook = false
    this.#failures = 0
    if (isUnwritten(after)) this.#dueAt ??= this.#parts.now()
  }

  /** A refused write will not be stored. */
  #forget({ changeId }: WrittenEdit<E>): void {
    const { sent, ...agreed } = this.#parts.agreed()
    if (sent?.changeId === changeId) this.#parts.setAgreed(agreed)
  }

  #failed(outcome: SyncOutcome): void {
    this.#dueAt ??= this.#parts.now()
    if (outcome === 'signedOut' || outcome === 'refused') {
      this.#isStuck = true
      return
    }
    this.#retryAt = this.#parts.now() + Math.min(FIRST_WAIT_MS * 2 ** this.#failures, MOST_WAIT_MS)
    this.#failures += 1
  }
}

const OUTCOMES: readonly unknown[] = [
  'conflict',
  'unreachable',
  'signedOut',
  'refused',
] satisfies SyncOutcome[]
const isOutcome = (error: unknown): error is SyncOutcome => OUTCOMES.includes(error)
const outcomeOf = (error: unknown): SyncOutcome => (isOutcome(error) ? error : 'unreachable')
