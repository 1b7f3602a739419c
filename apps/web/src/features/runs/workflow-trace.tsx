import type { RunDetail, TracedNode, WorkflowRunDetail } from '@troupe/builder-contract'
import { CornerDownRight, Repeat } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { TimeBar } from '../../atoms/chart/time-bar.tsx'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Segments } from '../../atoms/controls/choices.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { mapWords } from '../../core/messages/en/workflows/map.ts'
import { STEP_TYPE_TITLES } from '../../core/messages/en/workflows/step-types.ts'
import { failedRows, type NodeRow, nodeRows } from '../../core/runs/node-rows.ts'
import { isEnded, stateOfRun } from '../../core/runs/run-state.ts'
import { withSearch } from '../../core/url/paths.ts'
import { choiceParam, optionalParam, textParam } from '../../core/url/search-params.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { NodeDetails } from '../../parts/run-node/node-details.tsx'
import { useRunNode } from '../../parts/run-node/use-run-node.ts'
import { ReviewsOfRun } from './run-reviews.tsx'
import styles from './runs.module.css'

const SHOWN = ['all', 'failed'] as const
const PARAMS = { node: optionalParam, path: textParam, nodes: choiceParam(SHOWN, 'all') }
const PAGE_NODES = 1_000
const idOfRow = ({ id }: NodeRow) => id
const nameOfRow = ({ title }: NodeRow) => title
/** Between questions for the nodes of a run in flight. */
const WATCH_MS = 5_000

/** What a workflow did: what it was given, the nodes in their order, reviews, and what it returned. */
export function WorkflowTrace({ run, workflowRun }: { run: RunDetail; workflowRun: WorkflowRunDetail }) {
  const { paths } = usePlace()
  const { input, output, reviews, traceErased, nodeCount, failedNodeCount, nodes } = workflowRun
  const counts = { nodeCount, failedNodeCount }
  return (
    <>
      {traceErased && <Callout>{runWords.erased}</Callout>}
      {/* A deleted workflow has no name, and no page with a map. */}
      {run.entity.name !== null && (run.versionNumber !== null || run.isTest) && (
        <p>
          <TextLink href={withSearch(paths.workflow(run.entity.id), { view: 'map', run: run.runId })}>
            {mapWords.showOnMap}
          </TextLink>
        </p>
      )}
      <Section title={runWords.input}>
        <CodeBlock label={runWords.textOf(runWords.input)} text={JSON.stringify(input ?? null, null, 2)} />
      </Section>
      {nodeCount > nodes.length ? (
        <PagedNodes run={run} {...counts} />
      ) : (
        <NodeList run={run} nodes={nodes} {...counts} />
      )}
      {reviews.length > 0 && <ReviewsOfRun reviews={reviews} />}
      {output !== null && (
        <Section title={runWords.output}>
          <CodeBlock label={runWords.textOf(runWords.output)} text={JSON.stringify(output, null, 2)} />
        </Section>
      )}
    </>
  )
}

type NodeCounts = Pick<WorkflowRunDetail, 'nodeCount' | 'failedNodeCount'>

/** The nodes of a run that has more than one answer holds, page by page; the failed ones are pages of their own. */
function PagedNodes({ run, ...counts }: { run: RunDetail } & NodeCounts) {
  const [{ nodes: shown }] = useSearchParams(PARAMS)
  const isFailed = shown === 'failed'
  const isOpen = !isEnded(run.status)
  const total = isFailed ? counts.failedNodeCount : counts.nodeCount
  const pages = useKeysetOperation(
    'listRunNodes',
    {
      params: { runId: run.runId },
      query: { limit: PAGE_NODES, ...(isFailed && { status: 'failed' as const }) },
    },
    isOpen ? { everyMs: WATCH_MS } : { isSteady: true },
  )
  const { retry } = pages
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // What ended the run came after the last question.
    if (wasOpen.current && !isOpen) retry()
    wasOpen.current = isOpen
  })
  // The rows of the other view would say that nothing failed.
  const asked = pages.isFormer ? { ...pages, data: undefined } : pages
  return (
    <AskedPanel asked={asked} failed={runWords.runFailed} lines={8}>
      {(nodes) => (
        <NodeList
          run={run}
          nodes={nodes}
          hasOthers={isFailed}
          {...counts}
          {...(pages.hasMore
            ? {
                more: {
                  label: runWords.moreNodes,
                  isPending: pages.isLoadingMore,
                  onLoad: pages.loadMore,
                  // A refused page is asked for again by its button only, not without end.
                  isAutomatic: pages.failure === null,
                },
              }
            : nodes.length < total
              ? // More pages than are asked again by themselves.
                {
                  more: {
                    label: runWords.newerNodes,
                    isPending: pages.isFetching,
                    onLoad: retry,
                    isAutomatic: false,
                  },
                }
              : {})}
        />
      )}
    </AskedPanel>
  )
}

interface NodeListProps extends NodeCounts {
  run: RunDetail
  nodes: readonly TracedNode[]
  /** Only the failed nodes are there: the run has others. */
  hasOthers?: boolean
  more?: { label: string; isPending: boolean; onLoad(): void; isAutomatic: boolean }
}

function NodeList({ run, nodes, hasOthers = false, nodeCount, failedNodeCount, more }: NodeListProps) {
  const { paths } = usePlace()
  const [{ node, path, nodes: shown }, setParams] = useSearchParams(PARAMS)
  const { createdAt, startedAt, durationMs } = run
  const originMs = (startedAt ?? createdAt) * 1_000
  const all = useMemo(() => nodeRows(nodes, hasOthers ? { originMs } : null), [nodes, hasOthers, originMs])
  const rows = useMemo(() => (shown === 'failed' ? failedRows(all) : all), [shown, all])
  const shownCount = useMemo(() => rows.filter(({ kind }) => kind === 'node').length, [rows])
  const columns = useMemo(
    () => columnsFor(all, hasOthers ? (durationMs ?? 0) : 0),
    [all, hasOthers, durationMs],
  )
  const total = shown === 'failed' ? failedNodeCount : nodeCount
  const hrefOf = useCallback(
    ({ node: one }: NodeRow) =>
      one === null
        ? withSearch(paths.run(run.runId), { nodes: shown === 'all' ? null : shown })
        : withSearch(paths.run(run.runId, one.nodeId), {
            path: one.path,
            nodes: shown === 'all' ? null : shown,
          }),
    [paths, run.runId, shown],
  )
  return (
    <Section
      title={runWords.nodes}
      detail={nodeCount === 0 ? null : runWords.nodesDetail(wholeNumber(shownCount), wholeNumber(total))}
      actions={
        failedNodeCount > 0 || shown === 'failed' ? (
          <Segments<(typeof SHOWN)[number]>
            label={runWords.showNodes}
            value={shown}
            onChange={(next) => setParams({ nodes: next })}
            options={[
              { id: 'all', label: runWords.allNodes },
              { id: 'failed', label: `${runWords.failedNodes} ${wholeNumber(failedNodeCount)}` },
            ]}
          />
        ) : null
      }
    >
      <DataTable
        label={runWords.nodes}
        rows={rows}
        total={total}
        columns={columns}
        idOf={idOfRow}
        nameOf={nameOfRow}
        hrefOf={hrefOf}
        empty={
          <p className={styles.none}>
            {nodeCount > 0 ? runWords.noFailed : runWords.noNodes(isEnded(run.status))}
          </p>
        }
        {...(more ? { more } : {})}
      />
      {node !== null && (
        <OpenedNode
          run={run}
          nodeId={node}
          path={path}
          listed={nodes.find((one) => one.nodeId === node && one.path === path) ?? null}
          onClose={() => setParams({ node: null, path: '' })}
        />
      )}
    </Section>
  )
}

interface OpenedNodeProps {
  run: RunDetail
  nodeId: string
  path: string
  /** null: not among the nodes that are loaded, as in a link to a node far down. */
  listed: TracedNode | null
  onClose(): void
}

function OpenedNode({ run, nodeId, path, listed, onClose }: OpenedNodeProps) {
  const asked = useRunNode(run.runId, { nodeId: listed === null ? nodeId : null, path })
  const isGone = listed === null && asked.failure?.code === 'run_not_found'
  return (
    <SideSheet isOpen onClose={onClose} title={(listed ?? asked.data)?.name ?? nodeId}>
      {listed ? (
        <NodeDetails run={run} node={listed} />
      ) : isGone ? (
        <p className={styles.none}>{runWords.noNode}</p>
      ) : (
        <AskedPanel asked={asked} failed={runWords.runFailed}>
          {(node) => <NodeDetails run={run} node={node} />}
        </AskedPanel>
      )}
    </SideSheet>
  )
}

/** @param leastMs how long the timeline is at least; all rows are within it */
function columnsFor(all: readonly NodeRow[], leastMs: number): readonly Column<NodeRow>[] {
  const totalMs = all.reduce(
    (most, { startMs, durationMs }) => Math.max(most, (startMs ?? 0) + (durationMs ?? 0)),
    Math.max(1, leastMs),
  )
  return [
    { id: 'node', title: runWords.node, cell: (row) => <NodeName row={row} /> },
    {
      id: 'status',
      title: runWords.status,
      from: 'wide',
      width: '120px',
      cell: ({ node }) => node && <Status state={stateOfRun(node.status)} />,
    },
    { id: 'error', title: runWords.error, from: 'widest', cell: ({ node }) => node?.error ?? '' },
    {
      id: 'timeline',
      title: runWords.timeline,
      from: 'wide',
      width: '22%',
      cell: ({ kind, node, startMs, durationMs }) => (
        <TimeBar
          {...{ startMs, durationMs, totalMs }}
          tone={node?.status === 'failed' ? 'bad' : kind === 'iteration' ? 'quiet' : 'normal'}
        />
      ),
    },
    {
      id: 'took',
      title: runWords.duration,
      align: 'end',
      width: '88px',
      cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
    },
  ]
}

function NodeName({ row: { kind, depth, title, node } }: { row: NodeRow }) {
  const Icon = kind === 'iteration' ? Repeat : CornerDownRight
  return (
    <span className={styles.what} style={{ paddingInlineStart: `calc(${depth} * var(--indent))` }}>
      <Icon size={14} aria-hidden="true" />
      {node && (
        <span className={styles.narrowState}>
          <Status state={stateOfRun(node.status)} look="icon" />
        </span>
      )}
      <span className={styles.name}>
        {title}
        {node && <span className={styles.quiet}> {STEP_TYPE_TITLES[node.type] ?? node.type}</span>}
      </span>
    </span>
  )
}
