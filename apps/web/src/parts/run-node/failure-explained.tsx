import type { RunDetail, TracedNode } from '@troupe/contract/builder'
import { failedToken, type MissingKey, missingKey } from '@troupe/editor/tokens/explain-failure'
import type { TokenPath } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { FlaskConical, Wrench } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { failureWords as words } from '../../core/messages/en/workflows/step-data.ts'
import { withSearch } from '../../core/url/paths.ts'
import { valueLine } from '../../core/workflows/value-excerpt.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './failure-explained.module.css'
import { useRunNode } from './use-run-node.ts'

interface FailureExplainedProps {
  run: RunDetail
  node: TracedNode
  error: string
  /** The title of the error; absent: the step's. */
  title?: string
}

/** The reason of a step's failure: its message with the token marked, the existing keys of the data, and repairs. */
export function FailureExplained({ run, node, error, title = runWords.error }: FailureExplainedProps) {
  const { paths, may } = usePlace()
  const failed = failedToken(error)
  const source = failed && sourceRow(failed.path, node, run.workflowRun?.nodes ?? [])
  const read = useRunNode(run.runId, { nodeId: source?.nodeId ?? null, path: source?.path ?? '' })
  const isErased = run.workflowRun?.traceErased ?? false
  const missing =
    failed && source && read.data && !isErased ? missingKey(failed.path, read.data.output) : null
  const workflow = paths.workflow(run.entity.id)
  return (
    <>
      <ErrorPanel
        title={title}
        message={
          failed === null ? (
            error
          ) : (
            <>
              {failed.before}
              <mark className={styles.token} translate="no">
                {failed.token}
              </mark>
              {failed.after}
            </>
          )
        }
      />
      {missing !== null && <Keys missing={missing} />}
      {run.entity.name !== null && may('build') && (
        <div className={styles.ways}>
          <LinkButton
            size="small"
            icon={<Wrench size={14} />}
            href={withSearch(workflow, { node: node.nodeId, edit: '1', token: failed?.token ?? null })}
          >
            {words.fix}
          </LinkButton>
          <LinkButton
            size="small"
            icon={<FlaskConical size={14} />}
            href={withSearch(workflow, {
              ...{ test: 'from', testStep: node.nodeId, testPath: node.path || null },
              testRun: run.runId,
            })}
          >
            {words.test}
          </LinkButton>
        </div>
      )}
    </>
  )
}

function Keys({ missing: { at, keys, value } }: { missing: MissingKey }) {
  if (keys.length === 0) return <p>{words.noKeys(at, valueLine(value))}</p>
  return (
    <section className={styles.keys} aria-label={words.keys(at)}>
      <p>
        <b>{words.keys(at)}</b>
      </p>
      <dl>
        {keys.map(([key, inner]) => (
          <div key={key} className={styles.key}>
            <dt translate="no">{key}</dt>
            <dd translate="no">{valueLine(inner)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The row whose output a token of a step reads: in the same iteration, or in an enclosing one. */
function sourceRow(path: TokenPath, node: TracedNode, rows: readonly TracedNode[]): TracedNode | null {
  const isSource = ({ nodeId, type }: TracedNode) =>
    path.namespace === 'upstream'
      ? nodeId === path.nodeId
      : path.namespace === 'trigger' && NODE_TYPES.get(type)?.role === 'trigger'
  const isAround = (row: TracedNode) =>
    row.path === '' || row.path === node.path || node.path.startsWith(`${row.path}/`)
  return rows.findLast((row) => row.status === 'completed' && isSource(row) && isAround(row)) ?? null
}
