import type { BuilderWorkflow } from '@troupe/contract/builder'
import { addStep } from '@troupe/editor/commands/edit-steps'
import { handlesOf } from '@troupe/editor/commands/step-shape'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { useRef, useState } from 'react'
import { nextQuestionOfAdd } from '../../../core/canvas/step-commands.ts'
import { stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useForgetDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { ChoiceDialog } from '../commands/choice-dialog.tsx'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { stepDraftKey } from './step-edit.ts'

export interface AddStepDialogProps {
  workflow: BuilderWorkflow
  /** Its predecessor. */
  after: GraphNode
  onClose(): void
  onAdded(nodeId: string): void
}

/** Selects the output that leads to the new step, if there are several, and its type: search first, Enter inserts. */
export function AddStepDialog({ workflow, after, onClose, onAdded }: AddStepDialogProps) {
  const { workflowId } = workflow
  const [handle, setHandle] = useState<string | undefined>()
  const forgetDraft = useForgetDraft()
  const editing = useDraftCommands(workflow)
  const question = nextQuestionOfAdd(after, handle === undefined ? {} : { handle })
  // The palette closes with each answer, also with the one before the last.
  const hasNext = useRef(false)
  const insert = (type: string) => {
    const name = NODE_TYPES.get(type)?.title ?? type
    const source = { source: after.id, handle: handle ?? handlesOf(after)[0] ?? 'out' }
    const added = editing.edit(words.gestureAdd(name), (tx, isRetired) =>
      addStep(tx, source, { type, name }, isRetired),
    )
    if (added === null) return onClose()
    // The id may have belonged to a removed step with stored input.
    forgetDraft(stepDraftKey(workflowId, added.result))
    onAdded(added.result)
  }
  return (
    <ChoiceDialog
      key={question.key}
      question={question}
      onClose={() =>
        queueMicrotask(() => {
          if (!hasNext.current) onClose()
          hasNext.current = false
        })
      }
      onAnswer={(answer) => {
        hasNext.current = true
        if (question.key === 'handle') setHandle(answer)
        else insert(answer)
      }}
    />
  )
}
