import type { BuilderWorkflow } from '@troupe/builder-contract'
import type { Graph, GraphNode } from '@troupe/graph'
import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { outlineWords, stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { connectStep, type StepPlace } from '../../../core/workflows/connect-step.ts'
import { sentChanges } from '../../../core/workflows/edit-steps.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { DRAFT_ANSWERS } from '../parts/draft-answers.ts'
import { NodeIcon } from '../parts/node-icon.tsx'
import { rowOf } from '../parts/step-places.ts'
import { handlesOf } from './add-step-dialog.tsx'

export interface ConnectStepDialogProps {
  workflow: BuilderWorkflow
  graph: Graph
  /** Nothing leads to it. */
  node: GraphNode
  /** At least one. */
  places: readonly StepPlace[]
  onClose(): void
}

/** Asks behind which step, and on which of its ways, a step belongs that no run reaches. */
export function ConnectStepDialog({ workflow, graph, node, places, onClose }: ConnectStepDialogProps) {
  const { workflowId, draftRevision } = workflow
  const [afterId, setAfter] = useState(places.at(-1)?.after.id)
  const place = places.find(({ after }) => after.id === afterId) ?? places[0]
  const [chosen, setHandle] = useState<string | null>(null)
  const handle = place?.handles.find((one) => one === chosen) ?? place?.handles[0]
  const save = useChange('saveWorkflowDraft', { refreshes: DRAFT_ANSWERS })
  const submit = async () => {
    if (!place || handle === undefined) return
    const changes = sentChanges(connectStep(graph, node, place.after, handle, handlesOf))
    const body = { draftRevision, changes, gesture: words.gestureConnect(node.name).slice(0, 200) }
    if (!(await save.run({ params: { workflowId }, body }))) return
    onClose()
    // The button that opened the dialog is gone.
    focusNext(() => rowOf(node.id))
    showNotice({ title: words.connected(node.name) })
  }
  return (
    <FormDialog
      title={words.connectTitle(node.name)}
      onClose={onClose}
      action={words.connectAction}
      onSubmit={submit}
      isPending={save.isPending}
      failed={words.connectFailed}
      failure={save.failure}
    >
      <Select
        label={words.follows}
        value={place?.after.id ?? null}
        onChange={setAfter}
        options={places.map(({ after: { id, name, type } }) => ({
          id,
          label: name,
          icon: <NodeIcon type={type} />,
        }))}
      />
      {place && place.handles.length > 1 && (
        <Select
          label={words.where}
          value={handle ?? null}
          onChange={setHandle}
          options={place.handles.map((id) => ({ id, label: outlineWords.handles[id] ?? id }))}
        />
      )}
    </FormDialog>
  )
}
