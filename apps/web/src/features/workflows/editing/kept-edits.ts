import {
  type IdText,
  isJsonObject,
  type OrganizationId,
  type UserId,
  type WorkflowId,
} from '@troupe/contract'
import type { Patch } from '@troupe/editor/document/patch'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Command } from '@troupe/editor/history/command'
import type { KeptEdits } from '@troupe/editor/session/workflow-editor'
import type { SentSave } from '@troupe/editor/sync/sync-state'
import { readTypedJson } from '../../../core/forms/typed-json.ts'
import { DRAFTS } from '../../../infrastructure/storage/browser-database.ts'

/** Storage of edits and histories. Reads return undefined for a missing value and for a forbidden storage. */
export interface EditStorage {
  read(key: string): Promise<unknown>
  /** Rejects when the storage is full or forbidden. */
  write(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  keysBelow(prefix: string): Promise<string[]>
  /** The edit at a key, including one that a closing page has written synchronously. */
  edit(place: string): Promise<unknown>
  /** The keys of edits with a prefix, including those. */
  editsBelow(prefix: string): Promise<string[]>
  /**
   * @param isLast whether the page is closing, so that the edit is first written synchronously
   * @returns false: the browser stores nothing
   */
  keepEdit(place: string, stored: { value: unknown; base: string }, isLast: boolean): Promise<boolean>
  forgetEdit(place: string): void
}

/** Prefix of the keys of histories, one per tab. A sign-out deletes them. */
const HISTORIES = 'history/'
/** Prefix of the commands below the key of a history, by number. */
const COMMANDS = 'command/'
/** Maximum histories of tabs per workflow. */
const MOST_HISTORIES = 5

type StoredHistory = KeptEdits['history']
type UnsavedEdits = Omit<KeptEdits, 'history'>

/** The unsaved edits of one tab. */
export interface TabEdits {
  tab: string
  edits: UnsavedEdits
}

/** An edit of one step that a build without autosave has stored. */
export interface StepEdits {
  nodeId: string
  patch: Patch
}

/**
 * The edits of one workflow on this device. A sign-out asks about unsaved edits, but not about histories.
 */
export class KeptDraft {
  readonly #edits: string
  readonly #steps: string
  readonly #histories: string
  /** The commands of this tab that are in the storage. */
  #written: ReadonlyMap<number, Command> = new Map()
  #writing: Promise<void> = Promise.resolve()

  readonly #storage: EditStorage

  constructor(
    userId: IdText<UserId>,
    organizationId: IdText<OrganizationId>,
    workflowId: IdText<WorkflowId>,
    storage: EditStorage,
  ) {
    this.#storage = storage
    const place = `${userId}/${organizationId}/workflow/${workflowId}`
    this.#edits = `${DRAFTS}${place}/edits/`
    this.#steps = `${DRAFTS}${place}/node/`
    this.#histories = `${HISTORIES}${userId}/${organizationId}/${workflowId}`
  }

  /**
   * Stores the unsaved edits of a tab.
   *
   * @param isLast whether the page is closing, so that the edit is first written synchronously
   * @returns false: the browser stores nothing
   */
  async keepEdits(
    tab: string,
    { revision, sent, queued, conflicts }: KeptEdits,
    isLast = false,
  ): Promise<boolean> {
    const place = this.#edits + tab
    if (sent === null && queued.length === 0) {
      this.#storage.forgetEdit(place)
      return true
    }
    const value = { revision, sent, queued, conflicts }
    return await this.#storage.keepEdit(place, { value, base: String(revision) }, isLast)
  }

  /** Stores the history of a tab with one value per command, so that a change writes only its own command. */
  keepHistory(tab: string, history: StoredHistory): Promise<void> {
    const writing = this.#writing.then(() => this.#writeHistory(tab, history)).catch(() => undefined)
    this.#writing = writing
    return writing
  }

  async #writeHistory(tab: string, { commands, done, number }: StoredHistory): Promise<void> {
    const place = `${this.#histories}/${tab}`
    const former = this.#written
    const isNew = (one: Command) => former.get(one.number) !== one
    await Promise.all(
      commands.filter(isNew).map((one) => this.#storage.write(`${place}/${COMMANDS}${one.number}`, one)),
    )
    const numbers = commands.map((one) => one.number)
    await this.#storage.write(place, { numbers, done, number, at: Date.now() })
    this.#written = new Map(commands.map((one) => [one.number, one]))
    // Deleted last, so that the stored history never names a missing command.
    const gone = [...former.keys()].filter((one) => !this.#written.has(one))
    await Promise.all(gone.map((one) => this.#storage.remove(`${place}/${COMMANDS}${one}`)))
  }

  /** null: nothing stored, or in another format. */
  async history(tab: string): Promise<StoredHistory | null> {
    const place = `${this.#histories}/${tab}`
    const found = await this.#storage.read(place)
    await this.#forgetOldTabs(place)
    if (!isJsonObject(found) || !Array.isArray(found.numbers)) return readHistory(found)
    const { numbers, done, number } = found
    const commands = await Promise.all(numbers.map((one) => this.#storage.read(`${place}/${COMMANDS}${one}`)))
    // Commands before a missing one can no longer be undone.
    const first = commands.findLastIndex((one) => !isCommand(one)) + 1
    const kept = typeof done === 'number' ? Math.max(0, done - first) : 0
    const history = readHistory({ commands: commands.slice(first), done: kept, number })
    this.#written = new Map((history?.commands ?? []).map((one) => [one.number, one]))
    return history
  }

  /** The unsaved edits of all tabs. */
  async edits(): Promise<TabEdits[]> {
    const places = await this.#storage.editsBelow(this.#edits)
    const found = await Promise.all(
      places.map(async (place) => {
        const edits = readEdits(await this.#storage.edit(place))
        return edits === null ? [] : [{ tab: place.slice(this.#edits.length), edits }]
      }),
    )
    return found.flat()
  }

  /**
   * Counts edits that this build can't read, such as those of a newer build that was rolled back. They stay stored for that build:
   * data at this tab's key moves to another one, because this tab writes there.
   *
   * @param other the id of no tab
   */
  async countUnread(own: string, other: string): Promise<number> {
    let count = 0
    for (const place of await this.#storage.editsBelow(this.#edits)) {
      const value = await this.#storage.edit(place)
      if (value === undefined || value === null || readEdits(value) !== null) continue
      count += 1
      if (place !== this.#edits + own) continue
      const isMoved = await this.#storage.keepEdit(this.#edits + other, { value, base: '' }, false)
      if (isMoved) this.#storage.forgetEdit(place)
    }
    return count
  }

  forgetEdits(tab: string): void {
    this.#storage.forgetEdit(this.#edits + tab)
  }

  /** Edits of steps that can become changes of the draft. A text that the step's editor refuses stays in its step. */
  async stepEdits(): Promise<StepEdits[]> {
    const places = await this.#storage.editsBelow(this.#steps)
    const found = await Promise.all(
      places.map(async (place) => {
        const nodeId = place.slice(this.#steps.length)
        const patch = readStepEdit(nodeId, await this.#storage.edit(place))
        return patch === null ? [] : [{ nodeId, patch }]
      }),
    )
    return found.flat()
  }

  forgetStepEdit(nodeId: string): void {
    this.#storage.forgetEdit(this.#steps + nodeId)
  }

  async #forgetOldTabs(own: string): Promise<void> {
    const keys = await this.#storage.keysBelow(`${this.#histories}/`)
    const tabs = keys.filter((key) => !key.includes(`/${COMMANDS}`))
    if (tabs.length <= MOST_HISTORIES) return
    const times = await Promise.all(
      tabs.map(async (key) => {
        const found = await this.#storage.read(key)
        return { key, at: isJsonObject(found) && typeof found.at === 'number' ? found.at : 0 }
      }),
    )
    const old = times.filter(({ key }) => key !== own).toSorted((one, other) => other.at - one.at)
    for (const { key } of old.slice(MOST_HISTORIES - 1)) {
      const below = keys.filter((one) => one === key || one.startsWith(`${key}/`))
      for (const one of below) await this.#storage.remove(one).catch(() => undefined)
    }
  }
}

function readHistory(value: unknown): StoredHistory | null {
  if (!isJsonObject(value)) return null
  // A build without autosave stored the history before a save of unknown outcome under `unsure.before`.
  const { commands, done, number } = isJsonObject(value.unsure) ? propertiesOf(value.unsure.before) : value
  const isWhole = Array.isArray(commands) && commands.every(isCommand)
  if (!isWhole || typeof done !== 'number' || typeof number !== 'number') return null
  return { commands, done: Math.min(done, commands.length), number }
}

const propertiesOf = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {})

function isCommand(value: unknown): value is Command {
  return isJsonObject(value) && typeof value.label === 'string' && isPatches(value.patches)
}

function readEdits(value: unknown): UnsavedEdits | null {
  if (!isJsonObject(value)) return null
  const { revision, sent, queued, conflicts } = value
  const isWhole = typeof revision === 'number' && isPatches(queued) && Array.isArray(conflicts)
  if (!isWhole || !(sent === null || isSent(sent))) return null
  return { revision, sent, queued, conflicts }
}

function isSent(value: unknown): value is Omit<SentSave, 'isOut'> {
  return (
    isJsonObject(value) &&
    typeof value.changeId === 'string' &&
    typeof value.draftRevision === 'number' &&
    typeof value.gesture === 'string' &&
    isPatches(value.patches) &&
    Array.isArray(value.places)
  )
}

function isPatches(value: unknown): value is Patch[] {
  return Array.isArray(value) && value.every(isPatch)
}

function isPatch(value: unknown): value is Patch {
  if (!isJsonObject(value) || !('before' in value) || !('after' in value)) return false
  const { kind, id } = value
  return kind === 'expose' || ((kind === 'node' || kind === 'edge') && typeof id === 'string')
}

/** null: not an edit of this step that can become a change. */
function readStepEdit(nodeId: string, value: unknown): Patch | null {
  if (!isJsonObject(value)) return null
  const { name, config, from } = value
  const [read, former] = [parsed(config), parsed(from)]
  const [before] = readGraph({ nodes: [former] }).nodes
  if (typeof name !== 'string' || name === '' || !isJsonObject(read) || before?.id !== nodeId) return null
  return { kind: 'node', id: nodeId, before, after: { ...before, name, config: read }, next: null }
}

/** undefined: not JSON, or a number in it would be rounded, which only its author can correct. */
function parsed(text: unknown): unknown {
  const read = typeof text === 'string' ? readTypedJson(text) : null
  return read?.ok ? read.value : undefined
}
