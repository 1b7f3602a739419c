import type { BuilderWorkflow } from '@troupe/builder-contract'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_DEFINITIONS, NODE_TYPES } from '@troupe/nodes/definitions'
import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { outlineWords, stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { addStep, sentChanges } from '../../../core/workflows/edit-steps.ts'
import { useForgetDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { DRAFT_ANSWERS } from '../parts/draft-answers.ts'
import { NodeIcon } from './node-icon.tsx'
import { stepDraftKey } from './step-edit.ts'

/** What can stand behind a step. */
const STEPS = NODE_DEFINITIONS.filter(({ role }) => role !== 'trigger' && role !== 'note')

export interface AddStepDialogProps {
  workflow: BuilderWorkflow
  graph: Graph
  after: GraphNode
  onClose(): void
  onAdded(nodeId: string): void
}

/** Asks what follows a step, and on which of its ways. */
export function AddStepDialog({ workflow, graph, after, onClose, onAdded }: AddStepDialogProps) {
  const { workflowId, draftRevision } = workflow
  const handles = NODE_TYPES.get(after.type)?.handles(after.config) ?? ['out']
  const [handle, setHandle] = useState(handles[0] ?? 'out')
  const [type, setType] = useState<string>(STEPS[0]?.type ?? '')
  const forgetDraft = useForgetDraft()
  const save = useChange('saveWorkflowDraft', { refreshes: DRAFT_ANSWERS })
  const submit = async () => {
    const definition = STEPS.find((step) => step.type === type)
    if (!definition) return
    const step = { type, name: definition.title, handles: NODE_TYPES.get(type)?.handles({}) ?? [] }
    const { nodeId, changes } = addStep(graph, after, handle, step)
    const body = { draftRevision, changes: sentChanges(changes), gesture: words.gestureAdd(step.name) }
    if (!(await save.run({ params: { workflowId }, body }))) return
    // The id may have been that of a removed step, for which something is kept here.
    forgetDraft(stepDraftKey(workflowId, nodeId))
    onAdded(nodeId)
  }
  return (
    <FormDialog
      title={words.addAfter(after.name)}
      onClose={onClose}
      action={words.addAction}
      onSubmit={submit}
      isPending={save.isPending}
      failed={words.failed}
      failure={save.failure}
    >
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
