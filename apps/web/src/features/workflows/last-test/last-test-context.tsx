import type { IdText, WorkflowId } from '@troupe/contract'
import type { NodePreview, RunDetail } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { compileGraph, type Graph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { byteSize, wholeNumber } from '../../../core/format/numbers.ts'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { type MapStep, runOnMap } from '../../../core/map/run-on-map.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { lastTestWords as words } from '../../../core/messages/en/workflows/last-test.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { olderResults } from '../../../core/workflows/older-results.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useWatchedRun } from '../../../parts/run-node/use-watched-run.ts'
import { SaveAsCase } from '../test-cases/save-as-case.tsx'
import styles from './last-test.module.css'
import { PreviewBatch } from './preview-batch.ts'

/** The last test of a draft, for display at its steps. */
export interface LastTest {
  run: RunDetail
  /** The results by step id. */
  steps: ReadonlyMap<string, MapStep>
  /** Steps whose settings, or those of an earlier step, have changed since. */
  older: ReadonlySet<string>
}

/** The last test of a workflow's draft; null: none, or loading. */
export function useLastTest(workflowId: IdText<WorkflowId>, graph: Graph): LastTest | null {
  const listed = useOperation('listRuns', {
    query: { kind: 'workflow', entityId: workflowId, test: true, limit: 1 },
  })
  const run = useWatchedRun(listed.data?.data[0]?.runId ?? null).data
  const versionId = run?.versionId ?? null
  const version = useOperation(
    'getWorkflowVersion',
    { params: { workflowId, versionId: versionId ?? '' } },
    { isEnabled: versionId !== null, isFinal: true, keepsFormer: false },
  ).data
  const tested = useMemo(() => (version === undefined ? null : readGraph(version.graph)), [version])
  const steps = useMemo(() => {
    const rows = run?.workflowRun?.nodes
    return tested && rows ? runOnMap(compileGraph(tested, NODE_TYPES), rows, '') : null
  }, [tested, run])
  const older = useMemo(() => (tested ? olderResults(tested, graph) : null), [tested, graph])
  return useMemo(() => (run && steps && older ? { run, steps, older } : null), [run, steps, older])
}

interface Previews {
  batch: PreviewBatch
  test: LastTest
  /** Counts responses. */
  changes: number
}

const PreviewContext = createContext<Previews | null>(null)

/** Loads the outputs of visible steps in the last test. */
export function LastTestProvider({ test, children }: { test: LastTest | null; children: ReactNode }) {
  const { organizationId } = usePlace().membership
  const runId = test && isEnded(test.run.status) && !test.run.workflowRun?.traceErased ? test.run.runId : null
  const [state, setState] = useState<{ batch: PreviewBatch; changes: number } | null>(null)
  useEffect(() => {
    if (runId === null) return
    const batch = new PreviewBatch(
      async (path, nodeIds) => {
        const query = { nodes: nodeIds.join(','), ...(path === '' ? {} : { path }) }
        return (await callOperation('previewRunNodes', organizationId, { params: { runId }, query })).data
      },
      () => setState((former) => ({ batch, changes: (former?.changes ?? 0) + 1 })),
    )
    setState({ batch, changes: 0 })
    return () => {
      batch.close()
      setState(null)
    }
  }, [runId, organizationId])
  const value = useMemo(() => (state && test ? { ...state, test } : null), [state, test])
  return <PreviewContext value={value}>{children}</PreviewContext>
}

/** A visible step's output in the last test, as a short text; null: unknown. */
export function useStepPreview(nodeId: string): { text: string; isOlder: boolean } | null {
  const previews = useContext(PreviewContext)
  const batch = previews?.batch ?? null
  const step = previews?.test.steps.get(nodeId)
  const path = step?.state.status === 'completed' ? step.path : null
  useEffect(() => (batch && path !== null ? batch.want({ nodeId, path }) : undefined), [batch, nodeId, path])
  if (previews === null || path === null) return null
  const found = previews.batch.get({ nodeId, path })
  const text = found ? previewText(found) : null
  if (text === null) return null
  const isOlder = previews.test.older.has(nodeId)
  return { text: isOlder ? words.older(text) : text, isOlder }
}

function previewText({ preview, isWhole, bytes }: NodePreview): string | null {
  if (bytes === null) return null
  if (preview === null) return words.tooLarge(byteSize(bytes))
  return isWhole ? preview : words.size(preview, byteSize(bytes))
}

/** The test whose values are displayed at the steps. */
export function LastTestLine({ test: { run } }: { test: LastTest }) {
  const { paths } = usePlace()
  const { nodes, nodeCount, traceErased } = run.workflowRun ?? { nodes: [], nodeCount: 0, traceErased: false }
  return (
    <div className={styles.line}>
      <p>
        {words.of(relativeTime(run.createdAt, serverNow()), runWords.statuses[run.status])}{' '}
        {nodeCount > nodes.length && `${words.part(wholeNumber(nodes.length), wholeNumber(nodeCount))} `}
        {traceErased && `${words.erased} `}
        <TextLink href={paths.run(run.runId)}>{words.openRun}</TextLink>
      </p>
      <SaveAsCase workflowId={run.entity.id} run={run} />
    </div>
  )
}
