import type { WorkflowFinding } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { CircleAlert, CircleX, TriangleAlert } from 'lucide-react'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import styles from './findings.module.css'

const SEVERITIES = ['block', 'error', 'warning'] as const
const ICONS = { block: CircleX, error: CircleAlert, warning: TriangleAlert }

export interface FindingListProps {
  findings: readonly WorkflowFinding[]
  /** Of the graph that was checked, for the names; absent where all findings are about one node that is named already. */
  nodes?: readonly GraphNode[]
  /** With it, a finding leads to its node. */
  onChoose?: (nodeId: string) => void
}

/** What is wrong with a graph, the gravest first. */
export function FindingList({ findings, nodes, onChoose }: FindingListProps) {
  const names = nodes && new Map(nodes.map(({ id, name }) => [id, name]))
  const sorted = SEVERITIES.flatMap((severity) => findings.filter((one) => one.severity === severity))
  return (
    <ul className={styles.list} aria-label={words.findings}>
      {sorted.map((finding) => {
        const { severity, nodeId, path, code, message } = finding
        const Icon = ICONS[severity]
        const name = nodeId === null || !names ? null : (names.get(nodeId) ?? nodeId)
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
              {findingSentence(finding)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Path and message of a finding as one sentence; the node, which stands before it, is left out. */
function findingSentence({ path, message, nodeId }: WorkflowFinding): string {
  const place = nodeId === null ? path : path.replace(/^nodes\.\d+\.?(config\.)?/, '')
  return `${place} ${message}`.trim()
}
