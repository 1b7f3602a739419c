import type { BuilderWorkflow } from '@troupe/builder-contract'
import { isJsonObject } from '@troupe/contract'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Command } from '@troupe/editor/history/command'
import { type History, NO_HISTORY } from '@troupe/editor/history/history'
import { type KeptEdits, WorkflowEditor } from '@troupe/editor/session/workflow-editor'
import type { Graph } from '@troupe/graph'
import { randomId } from '../../../infrastructure/client/random-id.ts'
import { createValueStore } from '../../../infrastructure/client/value-store.ts'
import {
  deleteValue,
  keysBelow,
  readValue,
  writeValue,
} from '../../../infrastructure/storage/browser-database.ts'
import { tabId } from '../../../infrastructure/storage/tab-id.ts'

/** Below which key the history of each tab is kept; a sign-out forgets it. */
const HISTORIES = 'history/'
/** Histories of tabs that are kept of one workflow. */
const MOST_HISTORIES = 5

type StoredHistory = KeptEdits['history']

/** A save whose answer this tab has not seen. */
export interface UnsureSave {
  changeId: string
  /** The revision that it was made from. */
  since: number
  /** The history without it. */
  before: StoredHistory
}

/** Whether the server has a save; null: it could not be asked. */
export type WasSaved = (save: UnsureSave) => Promise<boolean | null>

/** The draft with its revision, as the server has it. */
export type ServerDraft = Pick<BuilderWorkflow, 'draft' | 'draftRevision'>

/** What this tab has done to the draft of one workflow: its editor, and its history, which outlives a reload. */
export class DraftSession {
  /** Another number after each change of the history. */
  readonly changes = createValueStore(0)
  readonly #place: string
  readonly #draft: ServerDraft
  #editor: WorkflowEditor | null = null
  #read: Promise<void> | null = null
  #turn: Promise<unknown> = Promise.resolve()

  /** @param place the person, the organization and the workflow */
  constructor(place: string, draft: ServerDraft) {
    this.#place = place
    this.#draft = draft
  }

  /** Made when it is needed: a large draft that is only read needs none. */
  get editor(): WorkflowEditor {
    this.#editor ??= editorOf(this.#draft)
    return this.#editor
  }

  /** The draft with the changes of this tab, also those under way; null: the page knows a newer one, or nothing was changed. */
  shown({ draftRevision }: ServerDraft): Graph | null {
    const editor = this.#editor
    return editor !== null && editor.sync.revision >= draftRevision ? editor.graph : null
  }

  get history(): History {
    return this.#editor?.history ?? NO_HISTORY
  }

  /** Reads the history that this tab had before a reload, once. */
  read(wasSaved: WasSaved): Promise<void> {
    this.#read ??= this.#readHistory(wasSaved)
    return this.#read
  }

  /** Changes are made and saved one after the other: the second of two at once is made on what the first one left. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const own = this.#turn.then(work)
    this.#turn = own.catch(() => undefined)
    return own
  }

  /** Takes what others have saved. Nothing of mine is unsaved between two changes. */
  catchUp({ draft, draftRevision }: ServerDraft): void {
    const { editor } = this
    if (draftRevision <= editor.sync.revision) return
    editor.receiveDraft({ revision: draftRevision, graph: readGraph(draft) }, { at: Date.now() })
    editor.takeEffects()
  }

  /** Leaves a change out that could not be saved: the history is as it was before it. */
  giveUp(before: KeptEdits, draft: ServerDraft): void {
    const editor = editorOf(draft)
    editor.resume({ ...before, sent: null, queued: [], conflicts: [] }, { at: Date.now() })
    editor.takeEffects()
    this.#editor = editor
    void this.keep()
  }

  /**
   * Keeps the history as it is now; a full or forbidden storage keeps none.
   *
   * @param unsure a save that begins now: a page that goes away before its answer knows it by this
   */
  async keep(unsure: UnsureSave | null = null): Promise<void> {
    if (unsure === null) this.changes.set(this.changes.get() + 1)
    const { history } = this.editor.kept()
    await writeValue(this.#key(), { ...history, unsure, at: Date.now() }).catch(() => undefined)
  }

  #key(): string {
    return `${HISTORIES}${this.#place}/${tabId()}`
  }

  async #readHistory(wasSaved: WasSaved): Promise<void> {
    const found = await readValue(this.#key()).catch(() => undefined)
    const after = readStored(found)
    const unsure = isJsonObject(found) ? readUnsure(found.unsure) : null
    const isLost = unsure !== null && (await wasSaved(unsure)) === false
    const history = isLost ? unsure.before : after
    // What was done while the storage was read is newer.
    if (history !== null && history.commands.length > 0 && this.history.commands.length === 0) {
      const { revision } = this.editor.sync
      this.editor.resume({ revision, sent: null, queued: [], conflicts: [], history }, { at: Date.now() })
      this.changes.set(this.changes.get() + 1)
    }
    await this.#forgetOldTabs(this.#key())
  }

  async #forgetOldTabs(own: string): Promise<void> {
    const keys = await keysBelow(`${HISTORIES}${this.#place}/`).catch(() => [])
    if (keys.length <= MOST_HISTORIES) return
    const times = await Promise.all(
      keys.map(async (key) => {
        const found = await readValue(key).catch(() => undefined)
        return { key, at: isJsonObject(found) && typeof found.at === 'number' ? found.at : 0 }
      }),
    )
    const old = times.filter(({ key }) => key !== own).toSorted((one, other) => other.at - one.at)
    for (const { key } of old.slice(MOST_HISTORIES - 1)) await deleteValue(key).catch(() => undefined)
  }
}

const sessions = new Map<string, DraftSession>()

/** The session of this tab on the draft of a workflow. */
export function draftSession(place: string, draft: ServerDraft): DraftSession {
  const known = sessions.get(place)
  if (known) return known
  const session = new DraftSession(place, draft)
  sessions.set(place, session)
  return session
}

function editorOf({ draft, draftRevision }: ServerDraft): WorkflowEditor {
  return new WorkflowEditor({ revision: draftRevision, graph: readGraph(draft) }, { newChangeId: randomId })
}

/** null: nothing, or of another form. */
function readStored(value: unknown): StoredHistory | null {
  if (!isJsonObject(value)) return null
  const { commands, done, number } = value
  const isWhole = Array.isArray(commands) && commands.every(isCommand)
  if (!isWhole || typeof done !== 'number' || typeof number !== 'number') return null
  return { commands, done: Math.min(done, commands.length), number }
}

function readUnsure(value: unknown): UnsureSave | null {
  if (!isJsonObject(value)) return null
  const { changeId, since } = value
  const before = readStored(value.before)
  const isWhole = typeof changeId === 'string' && typeof since === 'number' && before !== null
  return isWhole ? { changeId, since, before } : null
}

function isCommand(value: unknown): value is Command {
  return isJsonObject(value) && typeof value.label === 'string' && Array.isArray(value.patches)
}
