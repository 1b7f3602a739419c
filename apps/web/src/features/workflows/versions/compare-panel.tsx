import type { WorkflowVersion } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Graph } from '@troupe/graph'
import { Suspense } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Skeleton } from '../../../atoms/states/panels.tsx'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import styles from './versions.module.css'

const GraphComparison = lazyPart(async () => (await import('./graph-comparison.tsx')).GraphComparison)

const DRAFT = 'draft'

export interface ComparePanelProps {
  workflow: BuilderWorkflow
  /** Those that can be chosen. */
  versions: readonly WorkflowVersion[]
  /** Of all versions. */
  total: number
  /** From the address: `3..5`, `5..draft`; '' when nothing is compared. */
  compare: string
  onChange(compare: string): void
}

/** Two states of the workflow side by side, chosen by their numbers. */
export function ComparePanel({ workflow, versions, total, compare, onChange }: ComparePanelProps) {
  const [from = '', to = ''] = compare.split('..')
  const [newest] = versions
  if (compare === '' || !newest) {
    const other = workflow.isDraftPublished ? `${newest ? newest.number - 1 : 0}..${newest?.number}` : null
    const next = other ?? `${newest?.number}..${DRAFT}`
    const isPossible = !workflow.isDraftPublished || (newest?.number ?? 0) > 1
    return (
      <div className={styles.bar}>
        <Button size="small" isDisabled={!isPossible} onPress={() => onChange(next)}>
          {words.compare}
        </Button>
      </div>
    )
  }
  const options = [
    { id: DRAFT, label: words.draft },
    ...versions.map(({ number, label }) => ({
      id: String(number),
      label: label ? `${words.version(number)} · ${label}` : words.version(number),
    })),
  ]
  return (
    <Section title={words.comparing(nameOf(from), nameOf(to))}>
      <div className={styles.bar}>
        <Select
          label={words.older}
          value={from}
          options={options}
          onChange={(next) => onChange(`${next}..${to}`)}
        />
        <Select
          label={words.newer}
          value={to}
          options={options}
          onChange={(next) => onChange(`${from}..${next}`)}
        />
        <Button onPress={() => onChange('')}>{words.stop}</Button>
      </div>
      <Compared workflow={workflow} versions={versions} total={total} from={from} to={to} />
    </Section>
  )
}

const nameOf = (side: string) => (side === DRAFT ? words.draft.toLowerCase() : words.version(Number(side)))

interface ComparedProps extends Pick<ComparePanelProps, 'workflow' | 'versions' | 'total'> {
  from: string
  to: string
}

function Compared({ workflow, versions, total, from, to }: ComparedProps) {
  const before = useSide(workflow, { versions, total }, from)
  const after = useSide(workflow, { versions, total }, to)
  return (
    <AskedPanel asked={before} failed={words.compareFailed}>
      {(older) => (
        <AskedPanel asked={after} failed={words.compareFailed}>
          {(newer) => (
            <Card>
              <Suspense fallback={<Skeleton />}>
                <GraphComparison workflowId={workflow.workflowId} before={older} after={newer} />
              </Suspense>
            </Card>
          )}
        </AskedPanel>
      )}
    </AskedPanel>
  )
}

/** A version of another page of the list. Versions are counted and never deleted, so the place of each is known. */
function useVersionElsewhere(workflowId: string, total: number, side: string) {
  const number = side === DRAFT ? 0 : Number(side)
  const isPossible = Number.isSafeInteger(number) && number >= 1 && number <= total
  const { data, isFormer, failure } = useOperation(
    'listWorkflowVersions',
    { params: { workflowId }, query: { page: isPossible ? total - number + 1 : 1, limit: 1 } },
    { isEnabled: isPossible },
  )
  const found = isPossible && !isFormer ? data?.data.find((one) => one.number === number) : undefined
  return { found, failure, isAnswered: !isPossible || (data !== undefined && !isFormer) }
}

function useSide(
  workflow: BuilderWorkflow,
  { versions, total }: Pick<ComparePanelProps, 'versions' | 'total'>,
  side: string,
) {
  const { workflowId, draft } = workflow
  const listed = versions.find(({ number }) => String(number) === side)
  const elsewhere = useVersionElsewhere(workflowId, total, listed ? DRAFT : side)
  const versionId = (listed ?? elsewhere.found)?.versionId ?? ''
  const version = useOperation(
    'getWorkflowVersion',
    { params: { workflowId, versionId } },
    { isEnabled: side !== DRAFT && versionId !== '' },
  )
  const graph: Graph | undefined =
    side === DRAFT
      ? readGraph(draft)
      : version.data && !version.isFormer
        ? readGraph(version.data.graph)
        : undefined
  const isUnknown = side !== DRAFT && versionId === '' && elsewhere.isAnswered
  const failure = isUnknown
    ? { message: words.unknown(side), requestId: null }
    : (elsewhere.failure ?? version.failure)
  return { ...version, data: graph, failure }
}
