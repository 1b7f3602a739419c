import type { BuilderWorkflow } from '@troupe/contract/builder'
import { changeId } from '@troupe/editor/commands/edit-steps'
import { isStepId } from '@troupe/editor/ids/step-ids'
import type { Graph, GraphNode } from '@troupe/graph'
import { useState } from 'react'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { commandWords } from '../../../core/messages/en/workflows/canvas.ts'
import { stepWords } from '../../../core/messages/en/workflows/outline.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'

const words = stepWords.changeId

export interface ChangeIdDialogProps {
  workflow: BuilderWorkflow
  graph: Graph
  node: GraphNode
  onClose(): void
  /** Called with the new id of the step. */
  onChanged(id: string): void
}

/**
 * Changes the id of a step. Connections, and the tokens of all steps, are updated in the same change; its pinned output follows
 * when the change is saved, because the save names the new id. Undo reverts all of it.
 */
export function ChangeIdDialog({ workflow, graph, node, onClose, onChanged }: ChangeIdDialogProps) {
  const [id, setId] = useState(node.id)
  const editing = useDraftCommands(workflow)
  const isTaken = id !== node.id && graph.nodes.some((one) => one.id === id)
  const fault =
    id === ''
      ? null
      : !isStepId(id)
        ? commandWords.refusals.invalid_id
        : isTaken
          ? commandWords.refusals.id_taken
          : null
  const submit = () => {
    const done = editing.edit(words.gesture(node.name), (tx, isRetired) =>
      changeId(tx, node.id, id, isRetired),
    )
    if (done === null) return
    onClose()
    onChanged(id)
    showNotice({ title: words.changed(node.name, id) })
  }
  return (
    <FormDialog
      title={words.title(node.name)}
      onClose={onClose}
      action={words.action}
      onSubmit={submit}
      isPending={false}
      isLocal
      isComplete={id !== '' && id !== node.id && fault === null}
      failed={words.failed}
      failure={null}
    >
      <TextField
        label={words.label}
        description={words.detail}
        value={id}
        onChange={setId}
        maxLength={64}
        error={fault}
        autoFocus
        isRequired
        isMono
      />
    </FormDialog>
  )
}
