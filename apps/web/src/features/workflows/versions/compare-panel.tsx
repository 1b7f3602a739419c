import type { BuilderWorkflow, TimelineEntry } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Graph } from '@troupe/graph'
import { Suspense, useMemo } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Skeleton } from '../../../atoms/states/panels.tsx'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { offered, readSide, sideOfRevision, sidesOf } from './compared-sides.ts'
import styles from './versions.module.css'

const GraphComparison = lazyPart(async () => (await import('./graph-comparison.tsx')).GraphComparison)

const DRAFT = 'draft'

export interface ComparePanelProps {
  workflow: BuilderWorkflow
  /** Whose states can be chosen. */
  entries: readonly TimelineEntry[]
  /** From the address: `3..5`, `5..draft`, `r12..r14`; '' when nothing is compared. */
  compare: string
  onChange(compare: string): void
}

/** Two states of the workflow side by side: versions, and the draft at any moment that is kept. */
export function ComparePanel({ workflow, entries, compare, onChange }: ComparePanelProps) {
  const [from = '', to = ''] = compare.split('..')
  if (compare === '') {
    const next = firstComparison(workflow, entries)
    return (
      <div className={styles.bar}>
        <Button size="small" isDisabled={next === null} onPress={() => onChange(next ?? '')}>
          {words.compare}
        </Button>
      </div>
    )
  }
  const listed = sidesOf(entries)
  const others = [from, to].filter(
    (side, at, both) => both.indexOf(side) === at && !listed.some(({ id }) => id === side),
  )
  const options = [...listed, ...others.map(offered)]
  const nameOf = (side: string) => (options.find(({ id }) => id === side) ?? offered(side)).name
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
      <Compared workflow={workflow} from={from} to={to} />
    </Section>
  )
}

/** What the button compares: the live or newest version with the draft, else the draft with what was before the last changes; null: nothing. */
function firstComparison(workflow: BuilderWorkflow, entries: readonly TimelineEntry[]): string | null {
  const newest = workflow.versionNumber
  if (newest > 0 && !workflow.isDraftPublished) return `${newest}..${DRAFT}`
  if (newest > 1) return `${newest - 1}..${newest}`
  const before = entries.find(({ kind, isKept }) => kind === 'changes' && isKept)?.fromRevision ?? null
  return newest > 0 || before === null ? null : `${sideOfRevision(before)}..${DRAFT}`
}

interface ComparedProps {
  workflow: BuilderWorkflow
  from: string
  to: string
}

function Compared({ workflow, from, to }: ComparedProps) {
  const before = useSide(workflow, from)
  const after = useSide(workflow, to)
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

/** Versions are counted and never deleted, so the place of each in their list is known. */
function useVersionId({ workflowId, versionNumber }: BuilderWorkflow, number: number) {
  const isPossible = number >= 1 && number <= versionNumber
  const asked = useOperation(
    'listWorkflowVersions',
    { params: { workflowId }, query: { page: isPossible ? versionNumber - number + 1 : 1, limit: 1 } },
    { isEnabled: isPossible },
  )
  const found =
    isPossible && !asked.isFormer ? asked.data?.data.find((one) => one.number === number) : undefined
  return {
    versionId: found?.versionId ?? null,
    failure: asked.failure,
    isAnswered: !isPossible || (asked.data !== undefined && !asked.isFormer),
  }
}

function useSide(workflow: BuilderWorkflow, side: string) {
  const { workflowId, draft } = workflow
  const read = readSide(side)
  const listed = useVersionId(workflow, read.kind === 'version' ? read.number : 0)
  const versionId = listed.versionId ?? ''
  const version = useOperation(
    'getWorkflowVersion',
    { params: { workflowId, versionId } },
    { isEnabled: versionId !== '', keepsFormer: false },
  )
  const revision = useOperation(
    'getDraftRevision',
    { params: { workflowId, revision: read.kind === 'revision' ? String(read.revision) : '' } },
    { isEnabled: read.kind === 'revision', keepsFormer: false },
  )
  const asked = read.kind === 'revision' ? revision : version
  const stored = read.kind === 'draft' ? draft : asked.data?.graph
  const graph = useMemo(
    (): Graph | undefined => (stored === undefined ? undefined : readGraph(stored)),
    [stored],
  )
  const isUnknown =
    read.kind === 'unknown' || (read.kind === 'version' && versionId === '' && listed.isAnswered)
  const failure = isUnknown
    ? { message: words.unknown(side), requestId: null }
    : read.kind === 'draft'
      ? null
      : (listed.failure ?? asked.failure)
  return { ...asked, data: graph, failure }
}
