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

/** A draft as the server has it. */
export interface StoredDraft {
  revision: number
  graph: Graph
}

/** A save as the server keeps it. */
export interface StoredSave {
  /** null: of a client that gives its saves no ids. */
  changeId: string | null
  changes: readonly DraftChange[]
}

/** What is kept on the device of a draft that is edited: what is not certainly saved, and the history. */
export interface KeptEdits {
  /** The revision that the changes were made from. */
  revision: number
  sent: Omit<SentSave, 'isOut'> | null
  queued: readonly Patch[]
  conflicts: readonly StepConflict[]
  history: Pick<History, 'commands' | 'done' | 'number'>
}

/** Changes of others that came into the document. */
export interface Merged {
  /** Steps that others changed. */
  nodeIds: readonly string[]
  notes: readonly MergeNote[]
  conflicts: readonly StepConflict[]
}

/** What an undo or a redo did; null: there was nothing to take back. */
export interface TakenBack {
  label: string
  /** What stays as somebody else has made it since. */
  left: readonly LeftAsItIs[]
  /** Whether anything changed. */
  isChanged: boolean
}

/**
 * One tab's editing of a workflow draft: the document, its history, and the way of its changes to the server. It has no clock and no
 * network: times are passed in, and what is to be done comes out as effects.
 */
export class WorkflowEditor {
  readonly #saves: SaveParts
  /** Ids of steps that this tab has removed: no new step gets one. */
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

  /** Whether a step that is gone had an id, so that a new one must not take it. */
  readonly isRetired = (id: string): boolean => this.#retired.has(id)

  /** What is to be done since the last call, in this order. */
  takeEffects(): SyncEffect[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  /** Runs a command as one step of the history, or as a part of the last one's gesture. */
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

  /** The whole draft at once: the JSON view, a restored version, an import. A graph in which an id repeats is refused. */
  replace(graph: Graph, { label, at }: { label: string; at: number }): Outcome<void> {
    return this.run({ label, at }, (tx) => {
      const hasRepeat = (parts: readonly { id: string }[]) =>
        new Set(parts.map(({ id }) => id)).size < parts.length
      if (hasRepeat(graph.nodes) || hasRepeat(graph.edges)) throw new CommandRefused('repeated_id')
      replaceDraft(tx, graph)
    })
  }

  /** Ends a gesture: the next change is a step of its own. */
  endGesture(): void {
    this.#history = closed(this.#history)
  }

  /** Takes the last command back, as a change on top of whatever has come since. */
  undo({ labelOf, at }: { labelOf(label: string): string; at: number }): TakenBack | null {
    const command = toUndo(this.#history)
    if (command === null) return null
    const taken = this.#again(command, inverse(command.patches), labelOf, at)
    this.#history = undone(this.#history)
    return taken
  }

  /** Takes a certain command back, whatever was done since; null: it is no longer in effect. */
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

  /** Time, the network, the sign-in and the answers of the server. */
  dispatch(event: SyncEvent): void {
    const { state, effects } = nextStep(this.#sync, event, this.#saves)
    this.#sync = state
    this.#effects.push(...effects)
  }

  /**
   * The saves since the revision of this document, up to `revision`: my changes that are not saved go on top. One of mine whose
   * answer was lost is among them, and is not made again.
   */
  receive(saves: readonly StoredSave[], { revision, at }: { revision: number; at: number }): Merged {
    const appliedChangeIds = saves.flatMap(({ changeId }) => changeId ?? [])
    const pending = this.#takePendingOff(appliedChangeIds)
    const theirs = revise(this.#document, (tx) => {
      for (const { changes } of saves) takeChanges(tx, changes)
    })
    return this.#rebased(pending, { theirs, revision, at })
  }

  /** Like {@link WorkflowEditor.receive}, when only the newest draft is known. */
  receiveDraft(
    { revision, graph }: StoredDraft,
    { at, appliedChangeIds = [] }: { at: number; appliedChangeIds?: readonly string[] },
  ): Merged {
    const pending = this.#takePendingOff(appliedChangeIds)
    const theirs = revise(this.#document, (tx) => replaceDraft(tx, graph))
    return this.#rebased(pending, { theirs, revision, at })
  }

  /** Leaves the document as it was saved; a save whose answer was lost is no longer pending when the server has it. */
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
   * Decides conflicts of a merge as one command, so that an undo takes the decision back. A refused command, such as a copy in a full draft,
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

  /** What has to be kept on the device, so that a reload loses nothing. */
  kept(): KeptEdits {
    const { revision, sent, queued, conflicts } = this.#sync
    const { commands, done, number } = this.#history
    return {
      ...{ revision, sent: sent === null ? null : withoutWait(sent), queued: coalesce(queued), conflicts },
      history: { commands, done, number },
    }
  }

  /**
   * Goes on with what was kept on the device, on a draft that was just loaded.
   *
   * @param appliedChangeIds the saves since the kept revision, as far as the server knows them
   */
  resume(
    kept: KeptEdits,
    { at, appliedChangeIds = [] }: { at: number; appliedChangeIds?: readonly string[] },
  ): Merged {
    const merged = this.#resumed(kept, { at, appliedChangeIds })
    // Behind the changes that were not saved: what they remove is gone, too.
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
   * Takes over changes that were made elsewhere and not saved, such as those of a tab that crashed, as one command on top of the
   * document. What was changed since to other values is asked about.
   *
   * @param patches the fewest that say what was changed, from a draft that may be older
   */
  adopt(patches: readonly Patch[], { label, at }: { label: string; at: number }): Merged {
    const known = idsIn(this.#history)
    const isTaken = (id: string) => this.#retired.has(id) || known.has(id)
    const adopted = revise(this.#document, (tx) => rebase(tx, coalesce(patches), null, isTaken))
    const { conflicts, notes } = adopted.result
    // The questions come first, so that the change is not sent before they are answered.
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
