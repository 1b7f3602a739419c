import type { BuilderWorkflow } from '@troupe/contract/builder'
import { type History, NO_HISTORY } from '@troupe/editor/history/history'
import type { MergeNote } from '@troupe/editor/merge/rebase'
import {
  type KeptEdits,
  type Merged,
  type TakenBack,
  WorkflowEditor,
} from '@troupe/editor/session/workflow-editor'
import {
  type SentSave,
  type SyncEvent,
  type SyncStatus,
  statusOf,
  wakeAt,
} from '@troupe/editor/sync/sync-state'
import type { Graph } from '@troupe/graph'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { graphOf } from '../../../core/workflows/graph-of-draft.ts'
import { randomId } from '../../../infrastructure/client/random-id.ts'
import { createValueStore } from '../../../infrastructure/client/value-store.ts'
import type { DraftAuthor, DraftCalls, NewSaves, WholeDraft } from './draft-calls.ts'
import type { KeptDraft } from './kept-edits.ts'

/** Delay in milliseconds before unwritten edits are stored on the device. */
const KEEP_AFTER_MS = 300
/** Delay in milliseconds before views of the whole draft follow typing, so that no key waits for a view of thousands of steps. */
const SHOW_AFTER_MS = 150

/** The server's draft with its revision. */
export type ServerDraft = Pick<BuilderWorkflow, 'draft' | 'draftRevision'>

/** The fields of a workflow that a session uses. */
type HeardWorkflow = ServerDraft & Pick<BuilderWorkflow, 'isDraftPublished' | 'updatedBy' | 'updatedAt'>

/** Saves of others that were merged into the draft of this tab. */
export interface DraftNews {
  author: DraftAuthor | null
  notes: readonly MergeNote[]
}

/** The draft in views of the whole draft. */
export interface ShownDraft {
  /** With the changes of this tab; null: unchanged since the server's last response. */
  graph: Graph | null
  revision: number
  status: SyncStatus
  saved: DraftSession['saved']
  /** The time of this tab's last save; null: none. */
  savedAt: string | null
}

/**
 * The update timing of views of the whole draft: an edit immediately, typing after a pause, and the sync state not before typing
 * pauses.
 */
type ChangeKind = 'edit' | 'typing' | 'sync'

const NOT_EDITED: ShownDraft = { graph: null, revision: 0, status: 'saved', saved: null, savedAt: null }

/** The dependencies of a session. */
export interface SessionParts {
  calls: DraftCalls
  kept: Pick<KeptDraft, 'keepEdits' | 'keepHistory'>
  /** Milliseconds since the epoch. */
  now(): number
  /** The id of this tab. */
  tab(): Promise<string>
  /** The same, synchronously, for a page that is closing. */
  tabNow(): string
}

/**
 * One tab's editing of the draft of a workflow: edits are displayed immediately, stored on the device and saved automatically. This class
 * has the requests, timers and storage; `packages/editor` decides when to send and how to merge changes of others.
 */
export class DraftSession {
  /** Counts changes of the draft, the history and the save status. */
  readonly changes = createValueStore(0)
  /** The draft for views of all its steps. Separate, because typing changes it only after a pause. */
  readonly shown = createValueStore<ShownDraft>(NOT_EDITED)
  /** The last saves of others. */
  readonly news = createValueStore<DraftNews | null>(null)
  /** The last author of the draft and whether it is published, as far as this session knows; null: unknown. */
  saved: { author: DraftAuthor | null; isDraftPublished: boolean } | null = null
  /** Whether the browser stores unsaved edits. */
  isKept = true
  readonly #parts: SessionParts
  #draft: ServerDraft
  #editor: WorkflowEditor | null = null
  /** Saves of others from the response to a refused save, which need no further request. */
  #heard: NewSaves | null = null
  #waking: ReturnType<typeof setTimeout> | undefined
  #keeping: ReturnType<typeof setTimeout> | undefined
  #showing: ReturnType<typeof setTimeout> | undefined
  #isLast = false

  constructor(draft: ServerDraft, parts: SessionParts) {
    this.#draft = draft
    this.#parts = parts
  }

  /** Created on first use: a large draft that is only read needs none. */
  get editor(): WorkflowEditor {
    this.#editor ??= new WorkflowEditor(
      { revision: this.#draft.draftRevision, graph: graphOf(this.#draft.draft) },
      { newChangeId: randomId },
    )
    return this.#editor
  }

  get history(): History {
    return this.#editor?.history ?? NO_HISTORY
  }

  get status(): SyncStatus {
    return this.#editor === null ? 'saved' : statusOf(this.#editor.sync)
  }

  /** The draft with the changes of this tab; null: unchanged since the server's last response. */
  get graph(): Graph | null {
    return this.#editor?.graph ?? null
  }

  /** Whether nothing is lost when this session is dropped: all is saved, the device has the history, and no component follows it. */
  get isIdle(): boolean {
    const isStored = this.isKept && this.#keeping === undefined && this.#showing === undefined
    const isFollowed = [this.changes, this.shown, this.news].some((one) => one.isFollowed)
    return this.status === 'saved' && isStored && !isFollowed
  }

  /** The revision that the changes of this tab are based on. */
  get revision(): number {
    return this.#editor?.sync.revision ?? this.#draft.draftRevision
  }

  /** Uses the editor, then runs the resulting effects and schedules timers. */
  act<Result>(work: (editor: WorkflowEditor, at: number) => Result, kind: ChangeKind = 'edit'): Result {
    const result = work(this.editor, this.#parts.now())
    this.#settle(kind)
    return result
  }

  /** Undoes the last command; null: none. The audit log marks it as an undo. */
  undo(): TakenBack | null {
    return this.act((editor, at) => editor.undo({ labelOf: words.undone, at }))
  }

  redo(): TakenBack | null {
    return this.act((editor, at) => editor.redo({ labelOf: words.redone, at }))
  }

  /** Undoes the command with a number, even when it is not the last one; null: it is no longer in effect. */
  takeBack(number: number): TakenBack | null {
    return this.act((editor, at) => editor.takeBack(number, { labelOf: words.undone, at }))
  }

  /** Flushes typing before its pause: the next action must not use an outdated state. */
  showTyped(): void {
    if (this.#showing === undefined) return
    clearTimeout(this.#showing)
    this.#show()
  }

  dispatch(event: SyncEvent): void {
    this.act((editor) => editor.dispatch(event), 'sync')
  }

  /** Processes a workflow that the page has loaded: its draft may be newer or published. */
  hear(workflow: HeardWorkflow): void {
    const { draftRevision, isDraftPublished, updatedBy, updatedAt } = workflow
    if (this.#editor === null) {
      if (draftRevision > this.#draft.draftRevision) {
        this.#draft = workflow
        this.saved = null
      }
      return
    }
    if (draftRevision >= this.revision) {
      this.saved = { author: updatedBy && { changedBy: updatedBy, at: updatedAt }, isDraftPublished }
      this.#changed('sync')
    }
    this.heard(draftRevision)
  }

  /** Processes the server's current revision. */
  heard(revision: number): void {
    if (revision > this.revision) this.dispatch({ kind: 'news', revision, at: this.#parts.now() })
  }

  /** Sends everything now. @param isLast whether the page is closing */
  flush(isLast = false): void {
    if (this.#editor === null) return
    this.#isLast = isLast
    this.dispatch({ kind: 'flush', at: this.#parts.now() })
    this.#isLast = false
    if (isLast) this.keepLast()
  }

  /** Sends everything and waits until it is saved or the save has failed. */
  async settled(): Promise<SyncStatus> {
    this.flush()
    const isUnderWay = () => this.status === 'saving' || this.status === 'unsaved'
    if (isUnderWay()) {
      await new Promise<void>((resolve) => {
        const stop = this.changes.subscribe(() => {
          if (isUnderWay()) return
          stop()
          resolve()
        })
      })
    }
    return this.status
  }

  /** Restores the edits of this tab after a reload, on a draft of at least their revision. */
  resume(kept: KeptEdits, appliedChangeIds: readonly string[]): void {
    this.#tell(this.act((editor, at) => editor.resume(kept, { at, appliedChangeIds })))
  }

  /** Takes over unsaved edits of another tab or build. */
  adopt(patches: Parameters<WorkflowEditor['adopt']>[0], label: string): Merged {
    return this.act((editor, at) => editor.adopt(patches, { label, at }))
  }

  /** Writes unsaved edits and the history to the device. */
  async keepNow(): Promise<void> {
    const { kept, tab } = this.#parts
    const own = await tab()
    clearTimeout(this.#keeping)
    this.#keeping = undefined
    if (this.#editor === null) return
    const edits = this.#editor.kept()
    const [isKept] = await Promise.all([kept.keepEdits(own, edits), kept.keepHistory(own, edits.history)])
    if (isKept === this.isKept) return
    this.isKept = isKept
    this.#changed('sync')
  }

  /** Writes unsaved edits synchronously while the page closes. */
  keepLast(): void {
    if (this.#editor === null) return
    const { kept, tabNow } = this.#parts
    const [own, edits] = [tabNow(), this.#editor.kept()]
    void kept.keepEdits(own, edits, true)
    void kept.keepHistory(own, edits.history)
  }

  #settle(kind: ChangeKind): void {
    const { editor } = this
    for (const effect of editor.takeEffects()) {
      if (effect.kind === 'send') void this.#send(effect.save)
      else void this.#fetch(effect.since)
    }
    clearTimeout(this.#waking)
    const at = wakeAt(editor.sync)
    const { now } = this.#parts
    if (at !== null) {
      const wake = () => this.dispatch({ kind: 'tick', at: now() })
      this.#waking = setTimeout(wake, Math.max(0, at - now()))
    }
    this.#keeping ??= setTimeout(() => void this.keepNow(), KEEP_AFTER_MS)
    this.#changed(kind)
  }

  #changed(kind: ChangeKind): void {
    this.changes.set(this.changes.get() + 1)
    if (kind === 'sync' && this.#showing !== undefined) return
    clearTimeout(this.#showing)
    if (kind === 'typing') this.#showing = setTimeout(() => this.#show(), SHOW_AFTER_MS)
    else this.#show()
  }

  #show(): void {
    this.#showing = undefined
    const { graph, revision, status, saved } = this
    const savedAt = this.#editor?.sync.savedAt ?? null
    const before = this.shown.get()
    const isSame =
      before.graph === graph &&
      before.revision === revision &&
      before.status === status &&
      before.saved === saved &&
      before.savedAt === savedAt
    if (!isSame) this.shown.set({ graph, revision, status, saved, savedAt })
  }

  async #send(save: SentSave): Promise<void> {
    const { calls, now } = this.#parts
    const outcome = await calls.save(save, this.#isLast)
    const { changeId } = save
    const at = now()
    switch (outcome.kind) {
      case 'saved': {
        const { revision, savedAt, isDraftPublished } = outcome
        this.saved = { author: null, isDraftPublished }
        this.dispatch({ kind: 'saved', changeId, revision, savedAt, at })
        return
      }
      case 'stale':
        this.#heard = outcome.since
        this.dispatch({ kind: 'stale', changeId, revision: outcome.since.revision, at })
        return
      default:
        this.dispatch({ ...outcome, at })
    }
  }

  async #fetch(since: number): Promise<void> {
    const { calls, now } = this.#parts
    const heard = this.#heard
    this.#heard = null
    const found = heard ? ({ kind: 'since', since: heard } as const) : await calls.changesSince(since)
    if (found.kind !== 'since') return this.dispatch({ ...found, at: now() })
    const { saves, revision, author, isDraftPublished, changeIds } = found.since
    if (saves === null) return await this.#fetchWhole(changeIds)
    const at = now()
    this.#receive(author, isDraftPublished, () =>
      this.act((editor) => editor.receive(saves, { revision, at })),
    )
  }

  async #fetchWhole(appliedChangeIds: readonly string[]): Promise<void> {
    const { calls, now } = this.#parts
    const found = await calls.whole()
    const at = now()
    if (found.kind !== 'whole') return this.dispatch({ ...found, at })
    const { author, isDraftPublished, ...stored }: WholeDraft = found.draft
    this.#receive(author, isDraftPublished, () =>
      this.act((editor) => editor.receiveDraft(stored, { at, appliedChangeIds })),
    )
  }

  #receive(author: DraftAuthor | null, isDraftPublished: boolean | null, take: () => Merged): void {
    this.saved = { author, isDraftPublished: isDraftPublished ?? false }
    this.#tell(take(), author)
  }

  #tell({ notes }: Merged, author: DraftAuthor | null = null): void {
    if (author !== null || notes.length > 0) this.news.set({ author, notes })
  }
}
