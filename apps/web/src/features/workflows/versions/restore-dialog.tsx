import type { WorkflowVersion } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { useState } from 'react'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { commandWords } from '../../../core/messages/en/workflows/canvas.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useDraftEditing } from '../editing/use-draft-editing.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'

export interface RestoreDialogProps {
  workflow: BuilderWorkflow
  version: WorkflowVersion
  onClose(): void
}

/** Asks before the draft is replaced by a version. It is one change of the draft, which can be taken back like any other. */
export function RestoreDialog({ workflow, version, onClose }: RestoreDialogProps) {
  const { workflowId } = workflow
  const { versionId, number } = version
  const { organizationId } = usePlace().membership
  const session = useDraftSession(workflow)
  const { takeBack } = useDraftEditing(workflow)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const undo = (command: number) => {
    if (takeBack(command) !== null) showNotice({ title: words.undone })
  }
  const confirm = async () => {
    setPending(true)
    setFailure(null)
    try {
      const input = { params: { workflowId, versionId } }
      const { graph } = await callOperation('getWorkflowVersion', organizationId, input)
      const label = words.restoreGesture(number)
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
        title: words.restored(number),
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
      title={words.restoreTitle(number)}
      action={words.restoreAction}
      isPending={isPending}
      failed={words.restoreFailed}
      failure={failure}
      onConfirm={confirm}
    >
      {words.restoreText}
    </ConfirmDialog>
  )
}
