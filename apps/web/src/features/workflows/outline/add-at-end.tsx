import type { BuilderWorkflow } from '@troupe/contract/builder'
import { lastStep, type Outline } from '@troupe/editor/outline/outline'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'

const AddStepDialog = lazyPart(async () => (await import('./add-step-dialog.tsx')).AddStepDialog)

export interface AddAtEndProps {
  workflow: BuilderWorkflow
  outline: Outline
  onAdded(nodeId: string): void
}

/** Adds a step without a selection: at the end. */
export function AddAtEnd({ workflow, outline, onAdded }: AddAtEndProps) {
  const [isAdding, setAdding] = useState(false)
  const refusal = useRefusal('build')
  const after = lastStep(outline.rows, leadsOn)
  // Without a trigger there is no step to follow.
  if (after === null) return null
  return (
    <div>
      <RefusableButton
        size="small"
        icon={<Plus size={14} />}
        refusal={refusal}
        onPress={() => setAdding(true)}
      >
        {words.addAtEnd}
      </RefusableButton>
      {isAdding && (
        <LazyDialog>
          <AddStepDialog
            workflow={workflow}
            after={after}
            onClose={() => setAdding(false)}
            onAdded={(id) => {
              setAdding(false)
              onAdded(id)
            }}
          />
        </LazyDialog>
      )}
    </div>
  )
}

function leadsOn({ type, config }: GraphNode): boolean {
  return NODE_TYPES.get(type)?.handles(config).length !== 0
}
