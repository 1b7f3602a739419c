import type { Graph, GraphNode } from '@troupe/graph'
import { replaceDraft } from '../commands/replace-draft.ts'
import { DraftDocument } from '../document/draft-document.ts'
import { coalesce, inverse, type Patch } from '../document/patch.ts'
import { CommandRefused, type Outcome, revise, type Transaction, transact } from '../document/transaction.ts'
import type { Command, Gesture } from '../history/command.ts'
import {
  closed,
  type History,
  idsIn,
  NO_HISTORY,
  noted,
  redone,
  renamedHistory,
  toRedo,
  toUndo,
  undone,
} from '../history/history.ts'
import { type Decisions, decideConflicts } from '../merge/decide-conflicts.ts'
import { type MergeNote, rebase, type StepConflict, type Theirs } from '../merge/rebase.ts'
import { type LeftAsItIs, replay } from '../merge/replay.ts'
import { type DraftChange, takeChanges } from '../sync/draft-changes.ts'
import {
  loadedState,
  nextStep,
  pendingOf,
  type SaveParts,
  type SentSave,
  type SyncEffect,
  type SyncEvent,
  type SyncState,
} from '../sync/sync-state.ts'

/** A draft from the server. */
export interface StoredDraft {
  revision: number
  graph: Graph
}

/** A save from the server. */
export interface StoredSave {
  /** null if the client sends no change ids. */
  changeId: string | null
  changes: readonly DraftChange[]
}

/** The locally stored state of a draft during editing: possibly unsaved changes, and the history. */
export interface KeptEdits {
  /** The base revision of the changes. */
  revision: number
  sent: Omit<SentSave, 'isOut'> | null
  queued: readonly Patch[]
  conflicts: readonly StepConflict[]
  history: Pick<History, 'commands' | 'done' | 'number'>
}

/** The result of merging others' changes into the document. */
export interface Merged {
  /** Steps changed by others. */
  nodeIds: readonly string[]
  notes: readonly MergeNote[]
  conflicts: readonly StepConflict[]
}

/** The result of an undo or a redo; null if there was nothing to revert. */
export interface TakenBack {
  label: string
  /** Parts that were skipped because somebody else has changed them since. */
  left: readonly LeftAsItIs[]
  /** Whether anything changed. */
  isChanged: boolean
}

/**
 * The editing state of a workflow draft in one tab: the document, its history, and the synchronization of its changes. It has no clock and
 * no network: times are inputs, and actions are returned as effects.
 */
export class WorkflowEditor {
  readonly #saves: SaveParts
  /** Ids of steps removed in this tab: no new step gets one. */
  readonly #retired = new Set<string>()
  #document: DraftDocument
  #history: History = NO_HISTORY
  #sync: SyncState
  #effects: SyncEffect[] = []

  constructor({ revision, graph }: StoredDraft, { newChangeId }: Pick<SaveParts, 'newChangeId'>) {
    this.#document = new DraftDocument(graph)
    this.#sync = loadedState(revision)
    this.#saves = {
      newChangeId,
      nextOf: (kind, id) => this.#document.nextOf(kind, id),
    }
  }

  /** The draft with all changes. The same object until the next change. */
  get graph(): Graph {
    return this.#document.graph()
  }

  get history(): History {
    return this.#history
  }

  get sync(): SyncState {
    return this.#sync
  }

  node(id: string): GraphNode | null {
    return this.#document.node(id)
  }

  /** Whether an id belonged to a removed step, so that a new one must not use it. */
  readonly isRetired = (id: string): boolean => this.#retired.has(id)

  /** The effects since the last call, in order. */
  takeEffects(): SyncEffect[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  /** Runs a command as one entry of the history, or joins it with the last one of the same gesture. */
  run<Result>(
    { label, at, gesture = null }: { label: string; at: number; gesture?: Gesture | null },
    command: (tx: Transaction, isRetired: (id: string) => boolean) => Result,
  ): Outcome<Result> {
    const outcome = transact(this.#document, (tx) => command(tx, this.isRetired))
    if (outcome.ok && outcome.patches.length > 0) {
      const { patches } = outcome
      this.#history = noted(this.#history, { label, gesture, at, patches })
      this.#edited(patches, label, at)
    }
    return outcome
  }

  /** Replaces the whole draft: the JSON view, a restored version, an import. A graph with a repeated id is refused. */
  replace(graph: Graph, { label, at }: { label: string; at: number }): Outcome<void> {
    return this.run({ label, at }, (tx) => {
      const hasRepeat = (parts: readonly { id: string }[]) =>
        new Set(parts.map(({ id }) => id)).size < parts.length
      if (hasRepeat(graph.nodes) || hasRepeat(graph.edges)) throw new CommandRefused('repeated_id')
      replaceDraft(tx, graph)
    })
  }

  /** Ends a gesture: the next change is a separate entry. */
  endGesture(): void {
    this.#history = closed(this.#history)
  }

  /** Reverts the last command, as a change on top of everything since. */
  undo({ labelOf, at }: { labelOf(label: string): string; at: number }): TakenBack | null {
    const command = toUndo(this.#history)
    if (command === null) return null
    const taken = this.#again(command, inverse(command.patches), labelOf, at)
    this.#history = undone(this.#history)
    return taken
  }

  /** Reverts a given command, whatever was done since; null if it is no longer in effect. */
  takeBack(number: number, words: { labelOf(label: string): string; at: number }): TakenBack | null {
    const inEffect = this.#history.commands.slice(0, this.#history.done)
    const command = inEffect.find((one) => one.number === number)
    if (!command) return null
    if (command === inEffect.at(-1)) return this.undo(words)
    const { label } = command
    const outcome = this.run({ label: words.labelOf(label), at: words.at }, (tx) =>
      replay(tx, inverse(command.patches)),
    )
    if (!outcome.ok) return { label, left: [], isChanged: false }
    return { label, left: outcome.result, isChanged: outcome.patches.length > 0 }
  }

  redo({ labelOf, at }: { labelOf(label: string): string; at: number }): TakenBack | null {
    const command = toRedo(this.#history)
    if (command === null) return null
    const taken = this.#again(command, command.patches, labelOf, at)
    this.#history = redone(this.#history)
    return taken
  }

  #again(
    { label }: Command,
    patches: readonly Patch[],
    labelOf: (label: string) => string,
    at: number,
  ): TakenBack {
    const done = revise(this.#document, (tx) => replay(tx, patches))
    this.#edited(done.patches, labelOf(label), at)
    return { label, left: done.result, isChanged: done.patches.length > 0 }
  }

  /** Handles time, the network, the sign-in and the responses of the server. */
  dispatch(event: SyncEvent): void {
    const { state, effects } = nextStep(this.#sync, event, this.#saves)
    this.#sync = state
    this.#effects.push(...effects)
  }

  /**
   * Merges the saves since the revision of this document, up to `revision`; my unsaved changes are rebased on them. A save of mine whose
   * response was lost is among them, and is not applied twice.
   */
  receive(saves: readonly StoredSave[], { revision, at }: { revision: number; at: number }): Merged {
    const appliedChangeIds = saves.flatMap(({ changeId }) => changeId ?? [])
    const pending = this.#takePendingOff(appliedChangeIds)
    const theirs = revise(this.#document, (tx) => {
      for (const { changes } of saves) takeChanges(tx, changes)
    })
    return this.#rebased(pending, { theirs, revision, at })
  }

  /** Like {@link WorkflowEditor.receive}, when only the latest draft is known. */
  receiveDraft(
    { revision, graph }: StoredDraft,
    { at, appliedChangeIds = [] }: { at: number; appliedChangeIds?: readonly string[] },
  ): Merged {
    const pending = this.#takePendingOff(appliedChangeIds)
    const theirs = revise(this.#document, (tx) => replaceDraft(tx, graph))
    return this.#rebased(pending, { theirs, revision, at })
  }

  /** Reverts the document to its saved state. A save whose response was lost is no longer pending when the server has it. */
  #takePendingOff(appliedChangeIds: readonly string[]): Patch[] {
    for (const patch of inverse(pendingOf(this.#sync))) this.#document.apply(patch)
    const { sent } = this.#sync
    if (sent !== null && appliedChangeIds.includes(sent.changeId)) this.#sync = { ...this.#sync, sent: null }
    return pendingOf(this.#sync)
  }

  #rebased(
    pending: readonly Patch[],
    { theirs, revision, at }: { theirs: Theirs | null; revision: number; at: number },
  ): Merged {
    const known = idsIn(this.#history)
    const isTaken = (id: string) => this.#retired.has(id) || known.has(id)
    const { result, patches } = revise(this.#document, (tx) => rebase(tx, pending, theirs, isTaken))
    const { conflicts, notes, ...renames } = result
    this.#history = closed(renamedHistory(this.#history, renames))
    const asked = new Map([...this.#sync.conflicts, ...conflicts].map((one) => [one.id, one]))
    this.dispatch({
      kind: 'rebased',
      revision,
      pending: patches,
      conflicts: [...asked.values()],
      at,
    })
    const nodeIds = new Set(
      (theirs?.patches ?? []).flatMap((patch) => (patch.kind === 'node' ? patch.id : [])),
    )
    return { nodeIds: [...nodeIds], notes, conflicts }
  }

  /**
   * Decides conflicts of a merge as one command, so that an undo reverts the decision. A refused command, such as a copy in a full draft,
   * decides nothing.
   */
  decide(decisions: Decisions, { label, at }: { label: string; at: number }): Outcome<void> {
    const decided = this.#sync.conflicts.filter(({ id }) => decisions.choices.has(id))
    const outcome = this.run({ label, at }, (tx, isRetired) =>
      decideConflicts(tx, decided, decisions, isRetired),
    )
    if (outcome.ok) this.dispatch({ kind: 'decided', ids: decided.map(({ id }) => id), at })
    return outcome
  }

  /** The state to store on the device, so that a reload loses nothing. */
  kept(): KeptEdits {
    const { revision, sent, queued, conflicts } = this.#sync
    const { commands, done, number } = this.#history
    return {
      ...{ revision, sent: sent === null ? null : withoutWait(sent), queued: coalesce(queued), conflicts },
      history: { commands, done, number },
    }
  }

  /**
   * Resumes from the state stored on the device, on a draft that was just loaded.
   *
   * @param appliedChangeIds the known saves since the stored revision
   */
  resume(
    kept: KeptEdits,
    { at, appliedChangeIds = [] }: { at: number; appliedChangeIds?: readonly string[] },
  ): Merged {
    const merged = this.#resumed(kept, { at, appliedChangeIds })
    // After the unsaved changes: the steps that they remove are gone, too.
    for (const id of idsIn(this.#history)) if (this.#document.node(id) === null) this.#retired.add(id)
    return merged
  }

  #resumed(
    kept: KeptEdits,
    { at, appliedChangeIds }: { at: number; appliedChangeIds: readonly string[] },
  ): Merged {
    this.#history = { ...kept.history, isClosed: true }
    const isSaved = kept.sent !== null && appliedChangeIds.includes(kept.sent.changeId)
    const sent: SentSave | null = kept.sent && !isSaved ? { ...kept.sent, isOut: false } : null
    const { revision } = this.#sync
    if (kept.revision === revision) {
      const pending = coalesce([...(sent?.patches ?? []), ...kept.queued])
      for (const patch of pending) this.#document.apply(patch)
      const times = { firstAt: at, lastAt: at }
      this.#sync = { ...this.#sync, sent, queued: kept.queued, conflicts: kept.conflicts, ...times }
      this.dispatch({ kind: 'tick', at })
      return { nodeIds: [], notes: [], conflicts: [] }
    }
    this.#sync = { ...this.#sync, conflicts: kept.conflicts }
    return this.#rebased(coalesce([...(sent?.patches ?? []), ...kept.queued]), { theirs: null, revision, at })
  }

  /**
   * Applies unsaved changes that were made elsewhere, such as in a crashed tab, as one command on top of the document. Values that have
   * changed since become conflicts.
   *
   * @param patches the fewest patches for the change, from a draft that may be older
   */
  adopt(patches: readonly Patch[], { label, at }: { label: string; at: number }): Merged {
    const known = idsIn(this.#history)
    const isTaken = (id: string) => this.#retired.has(id) || known.has(id)
    const adopted = revise(this.#document, (tx) => rebase(tx, coalesce(patches), null, isTaken))
    const { conflicts, notes } = adopted.result
    // The conflicts come first, so that the change is not sent before they are decided.
    if (conflicts.length > 0) this.dispatch({ kind: 'asked', conflicts, at })
    if (adopted.patches.length > 0) {
      const change = { label, gesture: null, at, patches: adopted.patches }
      this.#history = closed(noted(closed(this.#history), change))
      this.#edited(adopted.patches, label, at)
    }
    const nodeIds = adopted.patches.flatMap((patch) => (patch.kind === 'node' ? patch.id : []))
    return { nodeIds: [...new Set(nodeIds)], notes, conflicts }
  }

  #edited(patches: readonly Patch[], gesture: string, at: number): void {
    for (const patch of patches) {
      if (patch.kind === 'node' && patch.after === null) this.#retired.add(patch.id)
    }
    if (patches.length > 0) this.dispatch({ kind: 'edited', patches, gesture, at })
  }
}

function withoutWait({ isOut: _, ...save }: SentSave): Omit<SentSave, 'isOut'> {
  return save
}
