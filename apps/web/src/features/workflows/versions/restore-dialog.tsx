import type { IdText, WorkflowVersionId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { useState } from 'react'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { versionListWords } from '../../../core/messages/en/parts/versions.ts'
import { commandWords } from '../../../core/messages/en/workflows/canvas.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { useAskAgain } from '../../../infrastructure/queries/use-ask-again.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { takenBackNotice } from '../editing/taken-back-notice.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'

/** A version, or the draft at a revision; `name` as in "Restore version 3". */
export type RestoredState = { name: string } & (
  | { versionId: IdText<WorkflowVersionId> }
  | { revision: number }
)

export interface RestoreDialogProps {
  workflow: BuilderWorkflow
  state: RestoredState
  onClose(): void
}

/**
 * Confirms the replacement of the draft by an earlier state. The current draft is first added to the timeline, and the
 * restore is one change of the draft, which can be undone like any other.
 */
export function RestoreDialog({ workflow, state, onClose }: RestoreDialogProps) {
  const { workflowId } = workflow
  const { name } = state
  const refreshed = useAskAgain()
  const { organizationId } = usePlace().membership
  const session = useDraftSession(workflow)
  const { takeBack } = useDraftCommands(workflow)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const undo = (command: number) => {
    const undone = takeBack(command)
    showNotice(undone ? takenBackNotice(undone.result, words.undone) : { title: words.notUndone })
  }
  const confirm = async () => {
    setPending(true)
    setFailure(null)
    try {
      const { graph } =
        'versionId' in state
          ? await callOperation('getWorkflowVersion', organizationId, {
              params: { workflowId, versionId: state.versionId },
            })
          : await callOperation('getDraftRevision', organizationId, {
              params: { workflowId, revision: String(state.revision) },
            })
      if ((await session.settled()) !== 'saved') {
        showNotice({ tone: 'bad', title: words.restoreFailed, detail: words.restoreUnsaved })
        return
      }
      const kept = { params: { workflowId }, body: { label: words.keptBefore(name) } }
      await callOperation('keepDraft', organizationId, kept)
      refreshed(['listWorkflowTimeline'])
      const label = words.restoreGesture(name)
      const done = session.act((editor, at) => editor.replace(readGraph(graph), { label, at }))
      if (!done.ok) {
        showNotice({ tone: 'bad', title: words.restoreFailed, detail: commandWords.refusals[done.reason] })
        return
      }
      const command = session.history.commands[session.history.done - 1]?.number
      session.flush()
      onClose()
      const isChanged = done.patches.length > 0 && command !== undefined
      showNotice({
        title: words.restored(name),
        // The draft of an earlier restore is gone, so its notice with *Undo* is replaced.
        subject: `restored ${workflowId}`,
        ...(isChanged && { action: { label: words.undo, run: () => undo(command) } }),
      })
    } catch (error) {
      setFailure(asCallFailure(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.restoreTitle(name)}
      action={versionListWords.restoreAction}
      isPending={isPending}
      failed={words.restoreFailed}
      failure={failure}
      onConfirm={confirm}
    >
      {words.restoreText}
    </ConfirmDialog>
  )
}
