import type { BuilderWorkflow } from '@troupe/builder-contract'
import type { WorkflowFinding } from '@troupe/contract'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { Pencil } from 'lucide-react'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { CopyButton } from '../../../atoms/controls/copy-field.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { Facts } from '../../../atoms/layout/page.tsx'
import { Markdown } from '../../../atoms/markdown/markdown.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { settingsOf } from '../../../core/workflows/node-settings.ts'
import type { Outline } from '../../../core/workflows/outline.ts'
import { scheduleWords } from '../../../core/workflows/schedule-words.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { FindingList } from '../parts/finding-list.tsx'
import findingStyles from '../parts/findings.module.css'
import styles from './outline.module.css'
import { SettingList } from './setting-list.tsx'
import { StepButtons } from './step-buttons.tsx'
import { STEP_ACTIONS_ID } from './step-places.ts'

export interface NodePanelProps {
  workflow: BuilderWorkflow
  graph: Graph
  node: GraphNode
  findings: readonly WorkflowFinding[]
  /** null: none of them. */
  onChoose(nodeId: string | null, isEdited?: boolean): void
  onAdded(nodeId: string): void
  outline: Outline
}

/** One step of the draft: what it does, its settings, and where it leads. */
export function NodePanel(props: NodePanelProps) {
  const { workflow, graph, node, findings, onChoose, onAdded, outline } = props
  const refusal = useRefusal('build')
  const definition = NODE_TYPES.get(node.type)
  const { markdown } = node.config
  return (
    <div className={styles.panel}>
      <p className={styles.muted}>{definition?.summary ?? words.unknownType}</p>
      {findings.length > 0 && <FindingList findings={findings} nodes={[node]} isNamed={false} />}
      {node.type === 'note' && typeof markdown === 'string' && <Markdown text={markdown} />}
      {node.type === 'recurrence' && <p>{scheduleWords(node.config)}</p>}
      <NodeSettings node={node} />
      <NodeLinks graph={graph} node={node} onChoose={onChoose} />
      <div id={STEP_ACTIONS_ID} className={styles.panelActions}>
        <RefusableButton
          size="small"
          icon={<Pencil size={14} />}
          refusal={refusal}
          onPress={() => onChoose(node.id, true)}
        >
          {words.edit}
        </RefusableButton>
        <StepButtons {...{ workflow, graph, node, onChoose, onAdded, outline }} />
      </div>
    </div>
  )
}

/** The settings of a step to read, rare ones folded. */
export function NodeSettings({ node }: { node: GraphNode }) {
  const schema = NODE_TYPES.get(node.type)?.schema ?? {}
  const settings = settingsOf(schema, node.config)
  const basic = settings.filter(({ isAdvanced }) => !isAdvanced)
  const advanced = settings.filter(({ isAdvanced }) => isAdvanced)
  return (
    <>
      <SettingList settings={basic} />
      {advanced.length > 0 && (
        <Disclosure look="section" title={words.advanced}>
          <SettingList settings={advanced} />
        </Disclosure>
      )}
    </>
  )
}

/** The id of a step, and the steps that it leads to. */
export function NodeLinks({ graph, node, onChoose }: Pick<NodePanelProps, 'graph' | 'node' | 'onChoose'>) {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]))
  const leads = graph.edges.filter(({ source }) => source === node.id)
  return (
    <Facts
      facts={[
        {
          name: words.id,
          value: (
            <span className={styles.id}>
              <code translate="no">{node.id}</code>
              <CopyButton text={node.id} label={words.copyId} />
            </span>
          ),
        },
        ...(leads.length === 0
          ? []
          : [
              {
                name: words.leadsTo,
                value: (
                  <ul>
                    {leads.map(({ id, sourceHandle, target }) => (
                      <li key={id}>
                        {sourceHandle !== 'out' && `${words.handles[sourceHandle] ?? sourceHandle}: `}
                        <BareButton className={findingStyles.name} onPress={() => onChoose(target)}>
                          {names.get(target) ?? target}
                        </BareButton>
                      </li>
                    ))}
                  </ul>
                ),
              },
            ]),
      ]}
    />
  )
}
