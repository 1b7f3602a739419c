import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Transaction } from '@troupe/editor/document/transaction'
import type { Gesture } from '@troupe/editor/history/command'
import { toRedo, toUndo } from '@troupe/editor/history/history'
import type { TakenBack } from '@troupe/editor/session/workflow-editor'
import type { Graph } from '@troupe/graph'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { commandWords } from '../../../core/messages/en/workflows/canvas.ts'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import type { DraftSession } from './draft-session.ts'
import { useDraftSession, useOwnSession } from './use-draft-session.ts'

/** The merging of a change with others. */
export interface EditOptions {
  /** Changes of one gesture, such as typing into one step, are one command of the history. */
  gesture?: Gesture | null
}

/** A change, which saves automatically. */
export interface Edited<Result> {
  result: Result
  /** The number of the command, for {@link DraftEditing.takeBack}. */
  number: number
}

export interface DraftCommands {
  /** Runs a command. null: it was refused, with the reason in a notice. */
  edit<Result>(
    label: string,
    command: (tx: Transaction, isRetired: (id: string) => boolean) => Result,
    options?: EditOptions,
  ): Edited<Result> | null
  /** Undoes the last change of this tab; null: none. */
  undo(): Edited<TakenBack> | null
  redo(): Edited<TakenBack> | null
  /** Undoes the command with a number, even when it is not the last one. */
  takeBack(number: number): Edited<TakenBack> | null
  /** The current draft, including changes that views of all steps do not show yet; null: unchanged. */
  now(): Graph | null
}

/** The commands, and the next change to undo. */
export interface DraftEditing extends DraftCommands {
  /** The labels of the next undo and redo; null: none. */
  toUndo: string | null
  toRedo: string | null
}

/**
 * Edits the draft of a workflow through the editor's core: each change is a command in the history of this tab, which survives a
 * reload. It is visible immediately and saved automatically. Other users' saves are merged, and are kept when a change is undone.
 */
export function useDraftCommands(workflow: BuilderWorkflow): DraftCommands {
  return commandsOf(useOwnSession(workflow))
}

/** The same for a component that shows the next change to undo. It rerenders after each change. */
export function useDraftEditing(workflow: BuilderWorkflow): DraftEditing {
  const session = useDraftSession(workflow)
  const { history } = session
  return {
    ...commandsOf(session),
    toUndo: toUndo(history)?.label ?? null,
    toRedo: toRedo(history)?.label ?? null,
  }
}

function commandsOf(session: DraftSession): DraftCommands {
  const edited = (result: TakenBack | null): Edited<TakenBack> | null =>
    result && { result, number: lastNumber() }
  const lastNumber = () => session.history.commands[session.history.done - 1]?.number ?? 0
  return {
    edit: (label, command, { gesture = null } = {}) => {
      const outcome = session.act(
        (editor, at) => editor.run({ label, at, gesture }, command),
        gesture === null ? 'edit' : 'typing',
      )
      if (outcome.ok) return { result: outcome.result, number: lastNumber() }
      showNotice({ tone: 'bad', title: words.failed, detail: commandWords.refusals[outcome.reason] })
      return null
    },
    undo: () => edited(session.undo()),
    redo: () => edited(session.redo()),
    takeBack: (number) => edited(session.takeBack(number)),
    now: () => session.graph,
  }
}
