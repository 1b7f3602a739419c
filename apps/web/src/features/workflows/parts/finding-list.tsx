import type { WorkflowFinding } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { CircleAlert, CircleX, TriangleAlert } from 'lucide-react'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { findingSentence } from '../../../core/workflows/findings.ts'
import styles from './findings.module.css'

const SEVERITIES = ['block', 'error', 'warning'] as const
const ICONS = { block: CircleX, error: CircleAlert, warning: TriangleAlert }

export interface FindingListProps {
  findings: readonly WorkflowFinding[]
  /** The nodes of the checked graph, for the names of nodes and settings. */
  nodes: readonly GraphNode[]
  /** False if all findings are about one node that is already named. */
  isNamed?: boolean
  /** With it, a finding links to its node. */
  onChoose?: (nodeId: string) => void
}

/** The findings of a graph, the most severe first. */
export function FindingList({ findings, nodes, isNamed = true, onChoose }: FindingListProps) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  const sorted = SEVERITIES.flatMap((severity) => findings.filter((one) => one.severity === severity))
  return (
    <ul className={styles.list} aria-label={words.findings}>
      {sorted.map((finding) => {
        const { severity, nodeId, path, code, message } = finding
        const Icon = ICONS[severity]
        const node = nodeId === null ? undefined : byId.get(nodeId)
        const name = isNamed ? (node?.name ?? nodeId) : null
        const schema = NODE_TYPES.get(node?.type ?? '')?.schema ?? {}
        return (
          <li key={`${code} ${path} ${message}`} className={styles.finding} data-severity={severity}>
            <Icon size={15} aria-hidden="true" />
            <span>
              <span className={styles.severity}>{words.severities[severity]}</span>{' '}
              {nodeId !== null && name !== null && onChoose ? (
                <BareButton className={styles.name} onPress={() => onChoose(nodeId)}>
                  {name}
                </BareButton>
              ) : (
                name && <b>{name}</b>
              )}{' '}
              {findingSentence(finding, schema, node?.config ?? {}, names)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
