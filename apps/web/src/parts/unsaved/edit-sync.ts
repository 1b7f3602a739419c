import { type AgreedEdit, afterLook, isSameEdit, type Joining } from './after-look.ts'
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

/** The dependencies of {@link EditSync}. */
export interface EditSyncParts<E extends StoredEdit> extends Joining<E> {
  /** The server's edit; null: it knows none. Throws the outcome of a failed request. */
  look(): Promise<AgreedEdit<E> | null>
  keep(write: { changeId: string; replaces: string | null; edit: BasedEdit<E> | null }): Promise<SyncOutcome>
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
 * replaces. An answer is used only if no other tab has agreed on another one in the meantime.
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
  #ended: BasedEdit<E> | null = null
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
   * Runs a save of the agreed edit, during which no request begins. A pending one may arrive before the save or after
   * it: before, the save leaves its edit, which is then discarded as equal to the saved state; after, it is refused.
   * Another device may have written just before the save, so the server's edit is read at once.
   *
   * @param save returns the id of the ended edit on the server, with the result; null: none has ended
   */
  async during<T>(save: () => Promise<{ result: T; settledAs: string | null }>): Promise<T> {
    this.#isHeld = true
    clearTimeout(this.#timer)
    const { changeId, edit } = this.#parts.agreed()
    try {
      const { result, settledAs } = await save()
      if (settledAs !== null && this.#parts.agreed().changeId === changeId) {
        this.#parts.setAgreed({ changeId: settledAs, edit: null })
        this.#ended = edit
        this.#mustLook = true
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
    const { now, local, agreed, isShown } = this.#parts
    if (this.#mustLook && isShown()) {
      await this.#look()
      if (this.#mustLook) return
    }
    if (this.#isHeld || this.#dueAt === null || now() < this.#dueAt) return
    this.#dueAt = null
    this.#firstAt = null
    const [edit, { changeId: replaces, edit: former }] = [local(), agreed()]
    if (isSameEdit(edit, former)) return
    const changeId = this.#parts.newId()
    const outcome = await this.#parts.keep({ changeId, replaces, edit })
    if (outcome === 'stored') {
      this.#failures = 0
      this.#parts.setAgreed({ changeId, edit })
      return
    }
    // It is unknown whether the server has it, or what it has instead.
    this.#mustLook = true
    this.#dueAt = now()
    // A hidden page resolves it when it becomes visible.
    if (outcome === 'conflict') this.#isStuck = !isShown()
    else this.#failed(outcome)
  }

  async #look(): Promise<void> {
    const { look, local, setLocal, agreed, setAgreed } = this.#parts
    const before = agreed().changeId
    const ended = this.#ended
    // Later, the server's edit may be one of a device that has read the save.
    this.#ended = null
    const remote = await look()
    // Another tab has written or read in the meantime: this response may be older.
    if (this.#isHeld || agreed().changeId !== before) return
    if (remote && remote.changeId !== before) {
      await this.#parts.readSaved(remote.edit?.base ?? null)
      if (this.#isHeld || agreed().changeId !== before) return
    }
    const after = afterLook({ local: local(), agreed: agreed(), ended }, remote, this.#parts)
    if (!isSameEdit(after.local, local())) setLocal(after.local)
    if (after.agreed.changeId !== before) setAgreed(after.agreed)
    this.#mustLook = false
    this.#failures = 0
    if (!isSameEdit(after.local, after.agreed.edit)) this.#dueAt ??= this.#parts.now()
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
