import type { IdText, WorkflowId, WorkflowRunId, WorkflowVersionId } from '@troupe/contract'
import type { BuilderWorkflow, RunDetail, TracedNode } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { compileGraph, type Graph, type GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { Ban } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { LinkButton, TextLink } from '../../../atoms/controls/text-link.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { SplitView } from '../../../atoms/overlays/split-view.tsx'
import { AskedOrBack } from '../../../atoms/states/asked-or-back.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { Callout, ErrorPanel } from '../../../atoms/states/panels.tsx'
import type { PlacedEdge } from '../../../core/map/map-graph.ts'
import { isFlowing, runOnMap, wasTaken } from '../../../core/map/run-on-map.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { testWords } from '../../../core/messages/en/workflows/testing.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { optionalParam, textParam } from '../../../core/url/search-params.ts'
import { useKeysetOperation, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useWatchedRun } from '../../../parts/run-node/use-watched-run.ts'
import rowStyles from '../parts/button-row.module.css'
import { rowOf } from '../parts/step-places.ts'
import { SaveAsCase } from '../test-cases/save-as-case.tsx'
import { DraftMap } from './draft-map.tsx'
import { markOfStep } from './run-marks.tsx'
import { StepMap, type StepMark } from './step-map.tsx'
import { RunStepPanel, VersionStepPanel } from './step-panels.tsx'

const PARAMS = { node: optionalParam, path: textParam }

interface PastMapProps {
  workflow: BuilderWorkflow
  onList(): void
}

/** A published version on the map. */
export function VersionMap({ workflow: { workflowId }, number, onList }: PastMapProps & { number: string }) {
  const listed = useOperation('listWorkflowVersions', {
    params: { workflowId },
    query: { page: 1, limit: 1 },
  })
  const total = listed.data?.total ?? 0
  const wanted = Number(number)
  const isPossible = Number.isSafeInteger(wanted) && wanted >= 1 && wanted <= total
  // Versions are numbered and never deleted, so the index of each in the list is known.
  const one = useOperation(
    'listWorkflowVersions',
    { params: { workflowId }, query: { page: isPossible ? total - wanted + 1 : 1, limit: 1 } },
    { isEnabled: isPossible },
  )
  const versionId = one.data?.data.find((version) => version.number === wanted)?.versionId ?? null
  const { graph, asked } = useVersionGraph(workflowId, versionId)
  const back = <ToDraft workflowId={workflowId} />
  if (listed.data && !isPossible)
    return <ErrorPanel title={words.failed} message={words.noVersion(number)} actions={back} />
  const failure = listed.failure ?? one.failure ?? asked.failure
  return (
    <AskedPanel asked={{ ...asked, data: graph ?? undefined, failure }} failed={words.failed} lines={8}>
      {(known) => <VersionSteps workflowId={workflowId} graph={known} onList={onList} />}
    </AskedPanel>
  )
}

/** The way back from a version or a run that cannot be shown. */
function ToDraft({ workflowId }: { workflowId: IdText<WorkflowId> }) {
  const { paths } = usePlace()
  return (
    <LinkButton href={withSearch(paths.workflow(workflowId), { view: 'map' })}>{words.toDraft}</LinkButton>
  )
}

function useVersionGraph(workflowId: IdText<WorkflowId>, versionId: IdText<WorkflowVersionId> | null) {
  const asked = useOperation(
    'getWorkflowVersion',
    { params: { workflowId, versionId: versionId ?? '' } },
    { isEnabled: versionId !== null, keepsFormer: false },
  )
  const stored = asked.data?.graph
  const graph = useMemo(() => (stored === undefined ? null : readGraph(stored)), [stored])
  return { graph, asked }
}

/** Props of the panel beside the map: the step in the URL, and its selection and deselection. */
function useChosenStep(graph: Graph) {
  const [{ node: chosen, path }, setParams] = useSearchParams(PARAMS)
  const node = graph.nodes.find(({ id }) => id === chosen) ?? null
  const choose = (id: string) => setParams({ node: id }, { push: chosen === null })
  const close = () => {
    setParams({ node: null })
    if (chosen !== null) focusNext(() => rowOf(chosen))
  }
  return { node, path, choose, close, setPath: (next: string) => setParams({ path: next }) }
}

interface VersionStepsProps {
  workflowId: IdText<WorkflowId>
  graph: Graph
  onList(): void
}

function VersionSteps({ workflowId, graph, onList }: VersionStepsProps) {
  const { node, choose, close } = useChosenStep(graph)
  return (
    <SplitView
      hint={words.choose}
      panel={
        node && {
          title: node.name,
          content: <VersionStepPanel graph={graph} node={node} onChoose={choose} />,
          onClose: close,
        }
      }
    >
      <DraftMap
        isDraft={false}
        workflowId={workflowId}
        graph={graph}
        findings={[]}
        chosen={node?.id ?? null}
        onChoose={choose}
        onLeave={close}
        onList={onList}
      />
    </SplitView>
  )
}

/** A run on the map of its version. */
export function RunMap({
  workflow: { workflowId },
  runId,
  onList,
}: PastMapProps & { runId: IdText<WorkflowRunId> }) {
  const run = useWatchedRun(runId)
  const isOther = run.data !== undefined && run.data.entity.id !== workflowId
  const { graph, asked } = useVersionGraph(workflowId, isOther ? null : (run.data?.versionId ?? null))
  const back = <ToDraft workflowId={workflowId} />
  if (isOther) return <ErrorPanel title={words.failed} message={words.otherWorkflow} actions={back} />
  if (asked.failure?.code === 'version_not_found')
    return <ErrorPanel title={words.failed} message={words.versionGone} actions={back} />
  return (
    <AskedOrBack asked={run} failed={runWords.runFailed} lines={8} back={back}>
      {(known) => (
        <AskedPanel asked={{ ...asked, data: graph ?? undefined }} failed={words.failed} lines={8}>
          {(version) => <RunSteps run={known} graph={version} onList={onList} />}
        </AskedPanel>
      )}
    </AskedOrBack>
  )
}

const PAGE_NODES = 1_000
/** Above this number of rows, more are loaded only on request. */
const LOADED_AT_ONCE = 10_000
const WATCH_MS = 5_000

/** All nodes of a run, page by page if one response is too small. */
function useTracedNodes(run: RunDetail) {
  const { nodes: firstNodes, nodeCount } = run.workflowRun ?? { nodes: [], nodeCount: 0 }
  const isPaged = nodeCount > firstNodes.length
  return { isPaged, firstNodes, nodeCount }
}

function RunSteps(props: { run: RunDetail; graph: Graph; onList(): void }) {
  const { isPaged, firstNodes } = useTracedNodes(props.run)
  return isPaged ? <PagedRunSteps {...props} /> : <DrawnRun {...props} nodes={firstNodes} more={null} />
}

function PagedRunSteps({ run, ...props }: { run: RunDetail; graph: Graph; onList(): void }) {
  const { nodeCount } = useTracedNodes(run)
  const pages = useKeysetOperation(
    'listRunNodes',
    { params: { runId: run.runId }, query: { limit: PAGE_NODES } },
    isEnded(run.status) ? { isSteady: true } : { everyMs: WATCH_MS },
  )
  const { hasMore, isLoadingMore, loadMore, failure } = pages
  const loaded = pages.data?.length ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && failure === null && loaded > 0 && loaded < LOADED_AT_ONCE) loadMore()
  })
  const more =
    loaded >= nodeCount ? null : (
      <Callout>
        {words.part(loaded, nodeCount)}{' '}
        {hasMore && loaded >= LOADED_AT_ONCE && (
          <Button size="small" isPending={isLoadingMore} onPress={loadMore}>
            {words.loadMore}
          </Button>
        )}
      </Callout>
    )
  return (
    <AskedPanel asked={pages} failed={runWords.runFailed} lines={8}>
      {(nodes) => <DrawnRun run={run} {...props} nodes={nodes} more={more} />}
    </AskedPanel>
  )
}

interface DrawnRunProps {
  run: RunDetail
  graph: Graph
  nodes: readonly TracedNode[]
  more: ReactNode
  onList(): void
}

function DrawnRun({ run, graph, nodes, more, onList }: DrawnRunProps) {
  const { paths } = usePlace()
  const { node, path, choose, close, setPath } = useChosenStep(graph)
  const compiled = useMemo(() => compileGraph(graph, NODE_TYPES), [graph])
  const steps = useMemo(() => runOnMap(compiled, nodes, path), [compiled, nodes, path])
  const hasEnded = isEnded(run.status)
  const seeded = useMemo(
    () => new Set(nodes.flatMap((row) => (row.seeded === null ? [] : `${row.path} ${row.nodeId}`))),
    [nodes],
  )
  const markOf = useCallback(
    (one: GraphNode) => {
      const step = steps.get(one.id)
      if (one.disabled && step?.state.status === 'completed') return DISABLED
      return markOfStep(step, hasEnded, seeded.has(`${step?.path ?? ''} ${one.id}`))
    },
    [steps, hasEnded, seeded],
  )
  const taken = useCallback((way: { source: string; handle: string }) => wasTaken(steps, way), [steps])
  const flowing = useCallback((way: PlacedEdge) => isFlowing(steps, way), [steps])
  return (
    <SplitView
      hint={words.choose}
      panel={
        node && {
          title: node.name,
          content: (
            <RunStepPanel
              key={node.id}
              {...{ run, graph, node, nodes, steps, compiled }}
              onChoose={choose}
              onPath={setPath}
            />
          ),
          onClose: close,
        }
      }
    >
      {run.error !== null && <Callout tone="bad">{run.error.message}</Callout>}
      {run.workflowRun?.traceErased && <Callout>{runWords.erased}</Callout>}
      {more}
      <div className={rowStyles.bar}>
        <span>
          {run.isTest && <Badge>{testWords.isTest}</Badge>}{' '}
          <TextLink href={paths.run(run.runId)}>{words.openRun}</TextLink> ·{' '}
          <TextLink href={withSearch(paths.workflow(run.entity.id), { view: 'map' })}>
            {words.toDraft}
          </TextLink>
        </span>
        <SaveAsCase workflowId={run.entity.id} run={run} />
      </div>
      <StepMap
        workflowId={run.entity.id}
        graph={graph}
        markOf={markOf}
        wasTaken={taken}
        isFlowing={hasEnded ? null : flowing}
        chosen={node?.id ?? null}
        onChoose={choose}
        onLeave={close}
        onList={onList}
      />
    </SplitView>
  )
}

/** It did nothing, and passed on the previous output. */
const DISABLED: StepMark = {
  ...{ tone: 'skipped', sign: '⊘', word: words.disabledState },
  end: <Ban size={14} aria-hidden="true" />,
}
