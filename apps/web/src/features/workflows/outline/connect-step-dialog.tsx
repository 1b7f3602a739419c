import type { BuilderWorkflow } from '@troupe/contract/builder'
import { connectBehind, type StepPlace } from '@troupe/editor/commands/connect-steps'
import type { GraphNode } from '@troupe/graph'
import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { focusMade } from '../../../atoms/focus/focus-next.ts'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { outlineWords, stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { NodeIcon } from '../parts/node-icon.tsx'
import { rowOf } from '../parts/step-places.ts'

export interface ConnectStepDialogProps {
  workflow: BuilderWorkflow
  /** It is unconnected. */
  node: GraphNode
  /** At least one. */
  places: readonly StepPlace[]
  onClose(): void
}

/** Connects an unreachable step: selects its predecessor, and the output. */
export function ConnectStepDialog({ workflow, node, places, onClose }: ConnectStepDialogProps) {
  const [afterId, setAfter] = useState(places.at(-1)?.after.id)
  const place = places.find(({ after }) => after.id === afterId) ?? places[0]
  const [chosen, setHandle] = useState<string | null>(null)
  const handle = place?.handles.find((one) => one === chosen) ?? place?.handles[0]
  const editing = useDraftCommands(workflow)
  const submit = () => {
    if (!place || handle === undefined) return
    const unreached = rowOf(node.id)
    const connected = editing.edit(words.gestureConnect(node.name), (tx) =>
      connectBehind(tx, { source: place.after.id, handle }, node.id),
    )
    if (connected === null) return
    onClose()
    // The button that opened the dialog disappears, and the step gets a row among the reachable steps.
    focusMade(() => (unreached?.isConnected ? null : rowOf(node.id)))
    showNotice({ title: words.connected(node.name) })
  }
  return (
    <FormDialog
      title={words.connectTitle(node.name)}
      onClose={onClose}
      action={words.connectAction}
      onSubmit={submit}
      isPending={false}
      failed={words.connectFailed}
      failure={null}
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
