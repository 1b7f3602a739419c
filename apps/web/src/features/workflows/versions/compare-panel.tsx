import type { BuilderWorkflow, TimelineEntry } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Graph } from '@troupe/graph'
import { Suspense, useMemo } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { AskedOrBack } from '../../../atoms/states/asked-or-back.tsx'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { versionListWords } from '../../../core/messages/en/parts/versions.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { Comparison, FirstVersion } from '../../../parts/versions/comparison.tsx'
import { offered, readSide, restorable, sideOfRevision, sidesOf } from './compared-sides.ts'
import type { RestoredState } from './restore-dialog.tsx'

const GraphComparison = lazyPart(async () => (await import('./graph-comparison.tsx')).GraphComparison)

/** The side of the current draft. */
export const DRAFT = 'draft'

export interface ComparePanelProps {
  workflow: BuilderWorkflow
  /** The available states to compare. */
  entries: readonly TimelineEntry[]
  /** In the format of the URL: `3..5`, `5..draft`, `r12..r14`. */
  compare: string
  onChange(compare: string): void
  onRestore(state: RestoredState): void
}

/** Two states of the workflow: versions, and any kept state of the draft. */
export function ComparePanel({ workflow, entries, compare, onChange, onRestore }: ComparePanelProps) {
  const refusal = useRefusal('build')
  const [from = '', to = ''] = compare.split('..')
  const listed = sidesOf(entries)
  const others = [from, to].filter(
    (side, at, both) => both.indexOf(side) === at && !listed.some(({ id }) => id === side),
  )
  const { versionNumber, isDraftPublished } = workflow
  const newest = isDraftPublished ? String(versionNumber) : DRAFT
  const replaced = to === newest ? from : to
  const restored = from === to ? null : restorable(replaced, entries)
  if (from === to && from === '1') {
    const isOnly = newest === from
    return (
      <FirstVersion
        name={words.version(1)}
        isOnly={isOnly}
        actions={
          !isOnly && (
            <Button onPress={() => onChange(`${from}..${newest}`)}>
              {isDraftPublished ? versionListWords.withNewest : words.withDraft}
            </Button>
          )
        }
      />
    )
  }
  return (
    <Comparison
      {...{ from, to }}
      options={[...listed, ...others.map(offered)]}
      onChange={(next, later) => onChange(`${next}..${later}`)}
      tools={
        restored && (
          <RefusableButton size="small" refusal={refusal} onPress={() => onRestore(restored)}>
            {versionListWords.restoreOf(
              'revision' in restored ? words.ofRevision(restored.revision) : offered(replaced).label,
            )}
          </RefusableButton>
        )
      }
      hint={restored && words.restoreHint}
    >
      {from === to ? (
        <Callout>{versionListWords.sameVersion}</Callout>
      ) : (
        <Compared workflow={workflow} from={from} to={to} />
      )}
    </Comparison>
  )
}

/**
 * The default comparison: the newest version with the draft, else with the version before it or, if there is none, itself; else the
 * draft with the state before its last changes; null: none.
 */
export function firstComparison(workflow: BuilderWorkflow, entries: readonly TimelineEntry[]): string | null {
  const newest = workflow.versionNumber
  if (newest > 0 && !workflow.isDraftPublished) return `${newest}..${DRAFT}`
  if (newest > 0) return `${Math.max(1, newest - 1)}..${newest}`
  const before = entries.find(({ kind, isKept }) => kind === 'changes' && isKept)?.fromRevision ?? null
  return before === null ? null : `${sideOfRevision(before)}..${DRAFT}`
}

interface ComparedProps {
  workflow: BuilderWorkflow
  from: string
  to: string
}

function Compared({ workflow, from, to }: ComparedProps) {
  const before = useSide(workflow, from)
  const after = useSide(workflow, to)
  const { paths } = usePlace()
  const back = (
    <LinkButton href={paths.workflow(workflow.workflowId, 'versions')}>{words.allVersions}</LinkButton>
  )
  return (
    <AskedOrBack asked={before} failed={words.compareFailed} back={back}>
      {(older) => (
        <AskedOrBack asked={after} failed={words.compareFailed} back={back}>
          {(newer) => (
            <Suspense fallback={<Skeleton />}>
              <GraphComparison workflowId={workflow.workflowId} before={older} after={newer} />
            </Suspense>
          )}
        </AskedOrBack>
      )}
    </AskedOrBack>
  )
}

/** Versions are numbered and never deleted, so the index of each in their list is known. */
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
    ? { message: words.unknown(side), requestId: null, code: 'version_not_found' }
    : read.kind === 'draft'
      ? null
      : (listed.failure ?? asked.failure)
  return { ...asked, data: graph, failure }
}
