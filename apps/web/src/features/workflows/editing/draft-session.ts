import type { BuilderWorkflow } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { type History, NO_HISTORY } from '@troupe/editor/history/history'
import type { MergeNote } from '@troupe/editor/merge/rebase'
import { type KeptEdits, type Merged, WorkflowEditor } from '@troupe/editor/session/workflow-editor'
import {
  type SentSave,
  type SyncEvent,
  type SyncStatus,
  statusOf,
  wakeAt,
} from '@troupe/editor/sync/sync-state'
import type { Graph } from '@troupe/graph'
import { randomId } from '../../../infrastructure/client/random-id.ts'
import { createValueStore } from '../../../infrastructure/client/value-store.ts'
import type { DraftAuthor, DraftCalls, NewSaves, WholeDraft } from './draft-calls.ts'
import type { KeptDraft } from './kept-edits.ts'

/** Edits are kept this long after the first one that is not. */
const KEEP_AFTER_MS = 300

/** The draft with its revision, as the server has it. */
export type ServerDraft = Pick<BuilderWorkflow, 'draft' | 'draftRevision'>

/** What a page reads of a workflow. */
type HeardWorkflow = ServerDraft & Pick<BuilderWorkflow, 'isDraftPublished' | 'updatedBy' | 'updatedAt'>

/** What others saved, as it came into the draft of this tab. */
export interface DraftNews {
  author: DraftAuthor | null
  notes: readonly MergeNote[]
}

/** What a session uses. */
export interface SessionParts {
  calls: DraftCalls
  kept: Pick<KeptDraft, 'keepEdits' | 'keepHistory'>
  /** Milliseconds since the epoch. */
  now(): number
  /** The id of this tab. */
  tab(): Promise<string>
  /** The same, for a page that goes away and cannot wait. */
  tabNow(): string
}

/**
 * One tab's editing of the draft of a workflow: what is done is seen and kept at once, and saved by itself. Requests, timers and
 * the storage are here; what is sent when, and how changes of others are joined, `packages/editor` decides.
 */
export class DraftSession {
  /** Another number after each change of the draft, the history or the state of its saves. */
  readonly changes = createValueStore(0)
  /** What others saved last. */
  readonly news = createValueStore<DraftNews | null>(null)
  /** Who changed the draft last, and whether callers run it, as far as this session has heard of it; null: nothing. */
  saved: { author: DraftAuthor | null; isDraftPublished: boolean } | null = null
  /** Whether the browser keeps what is not saved. */
  isKept = true
  readonly #parts: SessionParts
  #draft: ServerDraft
  #editor: WorkflowEditor | null = null
  /** The answer to a refused save, which saves the question. */
  #heard: NewSaves | null = null
  #waking: ReturnType<typeof setTimeout> | undefined
  #keeping: ReturnType<typeof setTimeout> | undefined
  #isLast = false

  constructor(draft: ServerDraft, parts: SessionParts) {
    this.#draft = draft
    this.#parts = parts
  }

  /** Made when it is needed: a large draft that is only read needs none. */
  get editor(): WorkflowEditor {
    this.#editor ??= new WorkflowEditor(
      { revision: this.#draft.draftRevision, graph: readGraph(this.#draft.draft) },
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

  /** The draft with the changes of this tab; null: it is as the server said it last. */
  get graph(): Graph | null {
    return this.#editor?.graph ?? null
  }

  /** Of the draft that the changes of this tab are made on. */
  get revision(): number {
    return this.#editor?.sync.revision ?? this.#draft.draftRevision
  }

  /** Does something with the editor, and whatever follows from it. */
  act<Result>(work: (editor: WorkflowEditor, at: number) => Result): Result {
    const result = work(this.editor, this.#parts.now())
    this.#settle()
    return result
  }

  dispatch(event: SyncEvent): void {
    this.act((editor) => editor.dispatch(event))
  }

  /** A workflow as the page has read it: its draft may be newer, or have been published since. */
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
      this.#changed()
    }
    this.heard(draftRevision)
  }

  /** A revision that the server has now. */
  heard(revision: number): void {
    if (revision > this.revision) this.dispatch({ kind: 'news', revision, at: this.#parts.now() })
  }

  /** Sends everything now. @param isLast whether the page goes away */
  flush(isLast = false): void {
    if (this.#editor === null) return
    this.#isLast = isLast
    this.dispatch({ kind: 'flush', at: this.#parts.now() })
    this.#isLast = false
    if (isLast) this.keepLast()
  }

  /** Sends everything, and waits until it is saved or cannot be. */
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

  /** Goes on with what this tab had before a reload, on a draft of at least that revision. */
  resume(kept: KeptEdits, appliedChangeIds: readonly string[]): void {
    this.#tell(this.act((editor, at) => editor.resume(kept, { at, appliedChangeIds })))
  }

  /** Takes over what was not saved elsewhere. */
  adopt(patches: Parameters<WorkflowEditor['adopt']>[0], label: string): Merged {
    return this.act((editor, at) => editor.adopt(patches, { label, at }))
  }

  /** Keeps what is not saved, and the history. */
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
    this.#changed()
  }

  /** Keeps what is not saved where writing is synchronous: the page goes away. */
  keepLast(): void {
    if (this.#editor === null) return
    const { kept, tabNow } = this.#parts
    const [own, edits] = [tabNow(), this.#editor.kept()]
    void kept.keepEdits(own, edits, true)
    void kept.keepHistory(own, edits.history)
  }

  #settle(): void {
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
    this.#changed()
  }

  #changed(): void {
    this.changes.set(this.changes.get() + 1)
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
