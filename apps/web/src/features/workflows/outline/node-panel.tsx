import type { WorkflowFinding } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Outline } from '@troupe/editor/outline/outline'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { hasSampleFields } from '@troupe/nodes/sample-payload'
import { Hash, Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Markdown } from '../../../atoms/markdown/markdown.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { Skeleton } from '../../../atoms/states/panels.tsx'
import { stepWords, outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { scheduleWords } from '../../../core/workflows/schedule-words.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { StepResult } from '../last-test/step-result.tsx'
import { FindingList } from '../parts/finding-list.tsx'
import { NodeLinks, NodeSettings } from '../parts/node-facts.tsx'
import { STEP_ACTIONS_ID } from '../parts/step-places.ts'
import { StepPin } from '../pins/step-pin.tsx'
import { ChangeIdDialog } from './change-id-dialog.tsx'
import styles from './outline.module.css'
import { StepButtons } from './step-buttons.tsx'

const SampleValues = lazyPart(async () => (await import('../samples/sample-values.tsx')).SampleValues)
const ListenSection = lazyPart(async () => (await import('../listeners/listen-section.tsx')).ListenSection)

export interface NodePanelProps {
  workflow: BuilderWorkflow
  graph: Graph
  node: GraphNode
  findings: readonly WorkflowFinding[]
  /** null: no step. */
  onChoose(nodeId: string | null, isEdited?: boolean): void
  onAdded(nodeId: string): void
  outline: Outline
}

/** One step of the draft: its description, settings and connections. */
export function NodePanel(props: NodePanelProps) {
  const { workflow, graph, node, findings, onChoose, onAdded, outline } = props
  const refusal = useRefusal('build')
  const definition = NODE_TYPES.get(node.type)
  const { markdown } = node.config
  const [isChangingId, setChangingId] = useState(false)
  return (
    <div className={styles.panel}>
      <p className={styles.muted}>{definition?.summary ?? words.unknownType}</p>
      <div id={STEP_ACTIONS_ID} className={styles.panelActions}>
        <RefusableButton
          size="small"
          icon={<Pencil size={14} />}
          refusal={refusal}
          onPress={() => onChoose(node.id, true)}
        >
          {words.edit}
        </RefusableButton>
        <RefusableButton
          size="small"
          icon={<Hash size={14} />}
          refusal={refusal}
          onPress={() => setChangingId(true)}
        >
          {stepWords.changeId.button}
        </RefusableButton>
        <StepButtons {...{ workflow, graph, node, onChoose, onAdded, outline }} />
      </div>
      {findings.length > 0 && <FindingList findings={findings} nodes={[node]} isNamed={false} />}
      {node.type === 'note' && typeof markdown === 'string' && <Markdown text={markdown} />}
      {node.type === 'recurrence' && <p>{scheduleWords(node.config)}</p>}
      <NodeSettings node={node} />
      <NodeLinks graph={graph} node={node} onChoose={onChoose} />
      <StepResult key={`result ${node.id}`} {...{ workflow, graph, node }} />
      <StepPin key={node.id} {...{ workflow, graph, node }} />
      {hasSampleFields(node.type) && (
        <Suspense fallback={<Skeleton lines={2} />}>
          <SampleValues key={`sample ${node.id}`} {...{ workflow, node }} />
          <ListenSection key={`listen ${node.id}`} {...{ workflow, node }} />
        </Suspense>
      )}
      {isChangingId && (
        <ChangeIdDialog
          {...{ workflow, graph, node }}
          onClose={() => setChangingId(false)}
          onChanged={onChoose}
        />
      )}
    </div>
  )
}
