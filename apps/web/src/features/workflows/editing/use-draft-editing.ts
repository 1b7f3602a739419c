import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Transaction } from '@troupe/editor/document/transaction'
import type { Gesture } from '@troupe/editor/history/command'
import { toRedo, toUndo } from '@troupe/editor/history/history'
import type { TakenBack, WorkflowEditor } from '@troupe/editor/session/workflow-editor'
import type { Graph } from '@troupe/graph'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { commandWords } from '../../../core/messages/en/workflows/canvas.ts'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useDraftSession } from './use-draft-session.ts'

/** How a change joins others. */
export interface EditOptions {
  /** Changes of one gesture, such as typing into one step, are one step of the history. */
  gesture?: Gesture | null
}

/** A change that was made. It is saved by itself. */
export interface Edited<Result> {
  result: Result
  /** Of the command, for {@link DraftEditing.takeBack}. */
  number: number
}

export interface DraftEditing {
  /** Makes a command. null: it was refused, and the person was told. */
  edit<Result>(
    label: string,
    command: (tx: Transaction, isRetired: (id: string) => boolean) => Result,
    options?: EditOptions,
  ): Edited<Result> | null
  /** Takes the last change of this tab back; null: there is none. */
  undo(): Edited<TakenBack> | null
  redo(): Edited<TakenBack> | null
  /** Takes a certain command back, whatever was done since. */
  takeBack(number: number): Edited<TakenBack> | null
  /** The draft with the changes of this tab; null: the page knows it as it is. */
  shown: Graph | null
  /** What the next undo and redo are about; null: nothing. */
  toUndo: string | null
  toRedo: string | null
}

/**
 * Edits the draft of a workflow through the editor's core: each change is a command of the history of this tab, which outlives a
 * reload. It is seen at once and saved by itself. What somebody else saved meanwhile is joined, and stays when a change is taken
 * back.
 */
export function useDraftEditing(workflow: BuilderWorkflow): DraftEditing {
  const session = useDraftSession(workflow)
  const again = (
    take: (editor: WorkflowEditor, at: number) => TakenBack | null,
  ): Edited<TakenBack> | null => {
    const result = session.act(take)
    return result && { result, number: lastNumber() }
  }
  const lastNumber = () => session.history.commands[session.history.done - 1]?.number ?? 0
  const labelOf = (label: string) => label
  const { history } = session
  return {
    edit: (label, command, { gesture = null } = {}) => {
      const outcome = session.act((editor, at) => editor.run({ label, at, gesture }, command))
      if (outcome.ok) return { result: outcome.result, number: lastNumber() }
      showNotice({ tone: 'bad', title: words.failed, detail: commandWords.refusals[outcome.reason] })
      return null
    },
    undo: () => again((editor, at) => editor.undo({ labelOf, at })),
    redo: () => again((editor, at) => editor.redo({ labelOf, at })),
    takeBack: (number) => again((editor, at) => editor.takeBack(number, { labelOf, at })),
    shown: session.graph,
    toUndo: toUndo(history)?.label ?? null,
    toRedo: toRedo(history)?.label ?? null,
  }
}
