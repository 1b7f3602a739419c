import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { useRef, useState } from 'react'
import { focusedAnchor } from '../../../atoms/overlays/popover-anchor.ts'
import { type Answers, commandOf, nextQuestionOfAdd } from '../../../core/canvas/step-commands.ts'
import { stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useForgetDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { ChoiceDialog } from '../commands/choice-dialog.tsx'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { exactRowOf } from '../parts/step-places.ts'
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
  // Both questions are asked at the button that was pressed.
  const [anchor] = useState(() => focusedAnchor(() => exactRowOf(after.id)))
  const forgetDraft = useForgetDraft()
  const editing = useDraftCommands(workflow)
  const question = nextQuestionOfAdd(after, handle === undefined ? {} : { handle })
  // The palette closes with each answer, also with the one before the last.
  const hasNext = useRef(false)
  const insert = (type: string) => {
    const name = NODE_TYPES.get(type)?.title ?? type
    const answers: Answers = { type, ...(handle !== undefined && { handle }) }
    const added = editing.edit(words.gestureAdd(name), (tx, isRetired) =>
      commandOf('add').run(tx, { ids: [after.id], answers, isRetired, places: new Map() }),
    )
    const [id] = added?.result ?? []
    if (id === undefined) return onClose()
    // The id may have belonged to a removed step with stored input.
    forgetDraft(stepDraftKey(workflowId, id))
    onAdded(id)
  }
  return (
    <ChoiceDialog
      key={question.key}
      question={question}
      anchor={anchor}
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
