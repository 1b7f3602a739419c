import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { CopyButton } from '../../../atoms/controls/copy-field.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { Facts } from '../../../atoms/layout/page.tsx'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { settingsOf } from '../../../core/workflows/node-settings.ts'
import findingStyles from './findings.module.css'
import { SettingList } from './setting-list.tsx'
import styles from './step-facts.module.css'

/** The read-only settings of a step, rare ones folded. */
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

interface NodeLinksProps {
  graph: Graph
  node: GraphNode
  onChoose(nodeId: string): void
}

/** The id of a step, and its successors. */
export function NodeLinks({ graph, node, onChoose }: NodeLinksProps) {
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
