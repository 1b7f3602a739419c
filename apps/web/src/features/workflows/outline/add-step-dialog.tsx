import type { BuilderWorkflow } from '@troupe/contract/builder'
import { addStep } from '@troupe/editor/commands/edit-steps'
import { handlesOf } from '@troupe/editor/commands/step-shape'
import type { GraphNode } from '@troupe/graph'
import { NODE_DEFINITIONS } from '@troupe/nodes/definitions'
import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { outlineWords, stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useForgetDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { NodeIcon } from '../parts/node-icon.tsx'
import { stepDraftKey } from './step-edit.ts'

/** The step types that can follow a step. */
const STEPS = NODE_DEFINITIONS.filter(({ role }) => role !== 'trigger' && role !== 'note')

export interface AddStepDialogProps {
  workflow: BuilderWorkflow
  /** Its predecessor, unless another place is selected. */
  after: GraphNode
  /** The steps that it may follow instead; without them, the place is fixed. */
  places?: readonly GraphNode[]
  onClose(): void
  onAdded(nodeId: string): void
}

/** Selects the step that follows, and its output. */
export function AddStepDialog(props: AddStepDialogProps) {
  const { workflow, places = [], onClose, onAdded } = props
  const [after, setAfter] = useState(props.after)
  const { workflowId } = workflow
  const handles = handlesOf(after)
  const [handle, setHandle] = useState(handles[0] ?? 'out')
  const [type, setType] = useState<string>(STEPS[0]?.type ?? '')
  const forgetDraft = useForgetDraft()
  const editing = useDraftCommands(workflow)
  const submit = () => {
    const definition = STEPS.find((step) => step.type === type)
    if (!definition) return
    const step = { type, name: definition.title }
    const added = editing.edit(words.gestureAdd(step.name), (tx, isRetired) =>
      addStep(tx, { source: after.id, handle }, step, isRetired),
    )
    if (added === null) return
    const nodeId = added.result
    // The id may have belonged to a removed step with stored input.
    forgetDraft(stepDraftKey(workflowId, nodeId))
    onAdded(nodeId)
  }
  return (
    <FormDialog
      title={words.addAfter(after.name)}
      onClose={onClose}
      action={words.addAction}
      onSubmit={submit}
      isPending={false}
      failed={words.failed}
      failure={null}
    >
      {places.length > 1 && (
        <Select
          label={words.follows}
          value={after.id}
          onChange={(id) => {
            const place = places.find((one) => one.id === id) ?? after
            setAfter(place)
            setHandle(handlesOf(place)[0] ?? 'out')
          }}
          options={places.map(({ id, name, type }) => ({ id, label: name, icon: <NodeIcon type={type} /> }))}
        />
      )}
      {handles.length > 1 && (
        <Select
          label={words.where}
          value={handle}
          onChange={setHandle}
          options={handles.map((id) => ({ id, label: outlineWords.handles[id] ?? id }))}
        />
      )}
      <Select
        label={words.what}
        description={STEPS.find((step) => step.type === type)?.summary}
        value={type}
        onChange={setType}
        options={STEPS.map(({ type: id, title, summary }) => ({
          id,
          label: title,
          detail: summary,
          icon: <NodeIcon type={id} />,
        }))}
      />
    </FormDialog>
  )
}
