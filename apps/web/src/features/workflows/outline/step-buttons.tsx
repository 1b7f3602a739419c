import type { BuilderWorkflow } from '@troupe/contract/builder'
import { placesFor } from '@troupe/editor/commands/connect-steps'
import { removeSteps } from '@troupe/editor/commands/edit-steps'
import { DraftDocument } from '@troupe/editor/document/draft-document'
import { type Outline, stepsIn } from '@troupe/editor/outline/outline'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { FlaskConical, Link2, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { focusMade, focusNext } from '../../../atoms/focus/focus-next.ts'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { testWords } from '../../../core/messages/en/workflows/testing.ts'
import { flagParam, optionalParam } from '../../../core/url/search-params.ts'
import { type PutBack, useTakeDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useParamsLater, useSearchParams } from '../../../infrastructure/routing/place.ts'
import { type Removal, useRemovalNotice } from '../commands/use-removal-notice.ts'
import { TEST_PLACE } from '../draft-test/test-place.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { exactRowOf, placeAfterStep, rowOf } from '../parts/step-places.ts'
import { stepDraftKey } from './step-edit.ts'

const ConnectStepDialog = lazyPart(async () => (await import('./connect-step-dialog.tsx')).ConnectStepDialog)
const AddStepDialog = lazyPart(async () => (await import('./add-step-dialog.tsx')).AddStepDialog)

/** The page's state: whether its outline is open, and whether a step is edited there. */
const PARAMS = { tab: optionalParam, view: optionalParam, edit: flagParam }

export interface StepButtonsProps {
  workflow: BuilderWorkflow
  graph: Graph
  node: GraphNode
  onChoose(nodeId: string | null): void
  onAdded(nodeId: string): void
  outline: Outline
}

/** Adds a step after this one, or removes this one. A removal can be undone right after. */
export function StepButtons({ workflow, graph, node, onChoose, onAdded, outline }: StepButtonsProps) {
  const { workflowId } = workflow
  const [isAdding, setAdding] = useState(false)
  const [isConnecting, setConnecting] = useState(false)
  const places = useMemo(() => placesOf(graph, node, outline), [graph, node, outline])
  // A note, for example, has none.
  const hasWayOut = NODE_TYPES.get(node.type)?.handles(node.config).length !== 0
  const editing = useDraftCommands(workflow)
  const refusal = useRefusal('build')
  const paramsLater = useParamsLater(PARAMS)
  const [, setTest] = useSearchParams(TEST_PLACE)
  const takeDraft = useTakeDraft()
  const removal = useRemovalNotice(workflow, () => undefined)
  const undo = async (removed: Removal, taken: readonly PutBack[]) => {
    const isUndone = removal.takeBack(removed)
    // Also when the step is not restored: then its edit is listed with those of other removed steps.
    await Promise.all(taken.map((putBack) => putBack()))
    // The notice is removed with its button, and the row of the step appears shortly after.
    if (isUndone) focusMade(() => exactRowOf(node.id))
    else focusNext(() => rowOf(node.id))
    if (!isUndone) return
    const now = paramsLater()
    if (now?.tab === null && now.view === null && !now.edit) onChoose(node.id)
  }
  const remove = async () => {
    const place = placeAfterStep(node.id)
    // The latest input may not be rendered yet.
    const reader = new DraftDocument(editing.now() ?? graph)
    const { name } = reader.node(node.id) ?? node
    const done = editing.edit(words.gestureRemove(name), (tx) => removeSteps(tx, [node.id]))
    if (done === null) return
    // Its input would be unreachable. It is restored with the step.
    const taken = await Promise.all(done.result.map((id) => takeDraft(stepDraftKey(workflowId, id))))
    onChoose(null)
    focusNext(place)
    const removed = { reader, ids: [node.id], number: done.number }
    removal.tell(removed, () => void undo(removed, taken))
  }
  const isTested = NODE_TYPES.get(node.type)?.role !== 'note'
  return (
    <>
      {isTested && (
        <RefusableButton
          size="small"
          icon={<FlaskConical size={14} />}
          refusal={refusal}
          onPress={() => setTest({ test: 'only', testStep: node.id }, { push: true })}
        >
          {testWords.test}
        </RefusableButton>
      )}
      {places.length > 0 && (
        <RefusableButton
          size="small"
          icon={<Link2 size={14} />}
          refusal={refusal}
          onPress={() => setConnecting(true)}
        >
          {words.connect}
        </RefusableButton>
      )}
      {hasWayOut && (
        <RefusableButton
          size="small"
          icon={<Plus size={14} />}
          refusal={refusal}
          onPress={() => setAdding(true)}
        >
          {words.add}
        </RefusableButton>
      )}
      <RefusableButton
        size="small"
        emphasis="quiet"
        icon={<Trash2 size={14} />}
        refusal={refusal}
        onPress={remove}
      >
        {words.remove}
      </RefusableButton>
      {isAdding && (
        <LazyDialog>
          <AddStepDialog
            workflow={workflow}
            after={node}
            onClose={() => setAdding(false)}
            onAdded={(id) => {
              setAdding(false)
              onAdded(id)
            }}
          />
        </LazyDialog>
      )}
      {isConnecting && (
        <LazyDialog>
          <ConnectStepDialog {...{ workflow, node, places }} onClose={() => setConnecting(false)} />
        </LazyDialog>
      )}
    </>
  )
}

/** The possible places of an unconnected step; a trigger and a note are standalone. */
function placesOf(graph: Graph, node: GraphNode, { rows }: Outline) {
  const role = NODE_TYPES.get(node.type)?.role
  const isLedTo = graph.edges.some(({ target }) => target === node.id)
  if (isLedTo || role === 'trigger' || role === 'note') return []
  return placesFor(new DraftDocument(graph), node, stepsIn(rows))
}
