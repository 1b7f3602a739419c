import type { ConfigContent } from '@troupe/editor/values/config-content'
import type { MergedContent } from '@troupe/editor/values/merge-contents'
import { expect, vi } from 'vitest'
import { type AgreedEdit, NOTHING_AGREED, type RemoteEdit } from '../agreed-edit.ts'
import { configEditSince, mergedEdits } from '../brought-back.ts'
import { EditSync, type EditWrite, type SavedChanges, type SyncOutcome } from '../edit-sync.ts'
import { type ConfigEdit, editAfterSave, editOnTop, editWithChange, type KeptEdit } from '../kept-edit.ts'
import type { SavedContent } from '../saved-content.ts'

/** The saved state of an agent before the first save. */
export const SAVED: SavedContent = {
  ...{ name: 'Support', description: null, config: { instructions: 'First.', temperature: 1 } },
  ...{ versionId: 'v1', versionNumber: 1, changedBy: { name: 'Eva' } },
  ...{ updatedAt: '2026-11-29T18:00:00Z', usedBy: [] },
}

/** Milliseconds of a request that arrives after its browser has given up and retried. */
const LATE_MS = 2500

/** The unsaved changes of one user, with the rules of `keepUnsavedChanges`: see `apps/server/test/builder/unsaved-changes.test.ts`. */
export class Server {
  row: RemoteEdit<KeptEdit> | null = null
  /**
   * The next writes whose response or request is lost, or whose request arrives after the browser has given up.
   */
  lost: ('answer' | 'request' | 'late')[] = []
  writes = 0
  saved = SAVED
  /** Milliseconds of a request and of its response. */
  delay = () => 10

  async keep(write: EditWrite<KeptEdit>) {
    await this.#wait()
    const lost = this.lost.shift()
    if (lost === 'request') return 'unreachable'
    if (lost === 'late') {
      setTimeout(() => this.#store(write), LATE_MS)
      return 'unreachable'
    }
    const outcome = this.#store(write)
    await this.#wait()
    return lost === 'answer' ? 'unreachable' : outcome
  }

  /** A save of an agent: the unsaved changes that it contains end with it. */
  save({ name, description, config }: ConfigContent, changes: SavedChanges | undefined): SavedContent {
    const versionNumber = this.saved.versionNumber + 1
    this.saved = { ...this.saved, name, description, config, versionNumber, versionId: `v${versionNumber}` }
    if (changes && this.row?.changeId === changes.changeId) {
      const builtOn = [changes.changeId, ...this.row.builtOn]
      this.row = { changeId: changes.settledAs, edit: null, builtOn }
    }
    return this.saved
  }

  async look(): Promise<RemoteEdit<KeptEdit> | null> {
    await this.#wait()
    const { row } = this
    await this.#wait()
    return row
  }

  #store({ changeId, replaces, isOwnReplaced, edit }: EditWrite<KeptEdit>): SyncOutcome {
    const { changeId: known, builtOn: before = [] } = this.row ?? {}
    if (known !== undefined && known !== replaces && known !== changeId) return 'conflict'
    this.writes += 1
    const isKnown = known === undefined || known === changeId || isOwnReplaced
    this.row = { changeId, edit, builtOn: isKnown ? before : [known, ...before] }
    return 'stored'
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.delay()))
  }
}

let ids = 0

const LOST = new Error('the answer was lost')

/** A browser with one open editor. */
export class Browser {
  local: ConfigEdit | null = null
  agreed: AgreedEdit<KeptEdit> = NOTHING_AGREED
  saved = SAVED
  isOnline = true
  isShown = true
  sync: EditSync<KeptEdit>
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
    this.sync = this.#open()
  }

  /** A reload or a crash: the stored state remains. */
  reload(): void {
    this.sync.flush(true)
    this.sync = this.#open()
  }

  type(path: string, value: unknown): void {
    const { edit, base } = this.local ?? { edit: null, base: null }
    this.local = editWithChange({ edit, base, saved: this.saved }, path, value) ?? this.local
    this.sync.edited()
  }

  /** Reads the server's edit. */
  async read(): Promise<void> {
    this.sync.news()
    await rest()
  }

  discard(): void {
    this.local = null
    this.sync.edited()
  }

  /** The saved state with the edit. */
  shown(): MergedContent {
    const { edit, base } = this.local ?? { edit: null, base: null }
    return editOnTop(edit, base, this.saved)
  }

  /** Saves as `use-config-draft.ts` does; input in the meantime remains an edit. */
  async save(typeMeanwhile: () => void = () => undefined, isAnswerLost = false): Promise<void> {
    const saving = this.sync.during(async (changes) => {
      this.saved = this.#server.saved
      const from = this.saved
      const { content: sent, conflicts } = this.shown()
      if (this.local === null || conflicts.length > 0) return null
      typeMeanwhile()
      await rest(this.#server.delay())
      // A colleague's save is newer: the user saves again.
      if (this.#server.saved !== from) return null
      const answer = this.#server.save(sent, changes)
      if (isAnswerLost) throw LOST
      const { edit: later, base: of } = this.local ?? { edit: null, base: null }
      this.local = editAfterSave({ edit: later, base: of, saved: this.saved }, sent, from, answer)
      this.saved = answer
      return answer
    })
    await saving.catch((error: unknown) => expect(error).toBe(LOST))
  }

  value(key: string): unknown {
    return this.local?.edit.mine.config[key]
  }

  #open(): EditSync<KeptEdit> {
    const opened = new EditSync({
      look: async () => {
        if (!this.isOnline) throw 'unreachable'
        return this.#server.look()
      },
      keep: async (write) => (this.isOnline ? this.#server.keep(write) : 'unreachable'),
      readSaved: async () => {
        this.saved = this.#server.saved
      },
      local: () => this.local,
      setLocal: (edit) => {
        this.local = edit
      },
      agreed: () => this.agreed,
      setAgreed: (agreed) => {
        this.agreed = agreed
      },
      merge: (edits) => mergedEdits(edits, this.saved),
      since: (edit, former) => configEditSince(edit, former, this.saved),
      isOthers: () => false,
      isShown: () => this.isShown,
      newId: () => `c${++ids}`,
      now: () => Date.now(),
    })
    opened.news()
    return opened
  }
}

/** Lets time pass, with all requests that are due. */
export const rest = (ms = 60_000) => vi.advanceTimersByTimeAsync(ms)

/** Two browsers of one person with the editor of one agent. */
export async function twoDevices(
  config: ConfigContent['config'] = SAVED.config,
): Promise<{ server: Server; desk: Browser; phone: Browser }> {
  const server = new Server()
  server.saved = { ...SAVED, config }
  const [desk, phone] = [new Browser(server), new Browser(server)]
  for (const browser of [desk, phone]) browser.saved = server.saved
  await rest()
  return { server, desk, phone }
}

/** Saves, with all requests that follow. */
export async function saved(browser: Browser): Promise<void> {
  const saving = browser.save()
  await rest()
  await saving
}
