import type { RunDetail, TracedNode, WorkflowRunDetail } from '@troupe/contract/builder'
import { CornerDownRight, Repeat } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { TimeAxis } from '../../atoms/chart/time-axis.tsx'
import { TimeBar } from '../../atoms/chart/time-bar.tsx'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Segments } from '../../atoms/controls/choices.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { useIsSplit } from '../../atoms/overlays/use-is-split.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { duration } from '../../core/format/times.ts'
import { stepTypeTitle } from '../../core/labels/step-type-title.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { failedRows, type NodeRow, nodeRows, timelineMs, withRoot } from '../../core/runs/node-rows.ts'
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
import { TraceView } from './trace-view.tsx'

const SHOWN = ['all', 'failed'] as const
const PARAMS = { node: optionalParam, path: textParam, nodes: choiceParam(SHOWN, 'all') }
const PAGE_NODES = 1_000
const idOfRow = ({ id }: NodeRow) => id
const nameOfRow = ({ title }: NodeRow) => title
/** Interval between requests for the nodes of an active run. */
const WATCH_MS = 5_000

/** The trace of a workflow: the nodes in order, with the input, output and reviews beside them. */
export function WorkflowTrace({ run, workflowRun }: { run: RunDetail; workflowRun: WorkflowRunDetail }) {
  const { traceErased, nodeCount, failedNodeCount, nodes } = workflowRun
  const parts = { run, nodeCount, failedNodeCount, root: <WholeRun workflowRun={workflowRun} /> }
  return (
    <>
      {traceErased && <Callout>{runWords.erased}</Callout>}
      {nodeCount > nodes.length ? <PagedNodes {...parts} /> : <NodeList {...parts} nodes={nodes} />}
    </>
  )
}

function WholeRun({ workflowRun: { input, output, reviews } }: { workflowRun: WorkflowRunDetail }) {
  return (
    <>
      <Section title={runWords.input}>
        <CodeBlock label={runWords.textOf(runWords.input)} text={JSON.stringify(input ?? null, null, 2)} />
      </Section>
      {output !== null && (
        <Section title={runWords.output}>
          <CodeBlock label={runWords.textOf(runWords.output)} text={JSON.stringify(output, null, 2)} />
        </Section>
      )}
      {reviews.length > 0 && <ReviewsOfRun reviews={reviews} />}
    </>
  )
}

interface NodeParts extends Pick<WorkflowRunDetail, 'nodeCount' | 'failedNodeCount'> {
  run: RunDetail
  /** The run itself. */
  root: ReactNode
}

/** The nodes of a run with more than one page of them; the failed ones are paged separately. */
function PagedNodes(parts: NodeParts) {
  const { run, root, ...counts } = parts
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
    // The run ended after the last request.
    if (wasOpen.current && !isOpen) retry()
    wasOpen.current = isOpen
  })
  // The rows of the other view would show that nothing failed.
  const asked = pages.isFormer ? { ...pages, data: undefined } : pages
  if (asked.data === undefined) {
    return (
      <TraceView root={root} opened={null}>
        <AskedPanel asked={asked} failed={runWords.runFailed} lines={8}>
          {() => null}
        </AskedPanel>
      </TraceView>
    )
  }
  return (
    <AskedPanel asked={asked} failed={runWords.runFailed} lines={8}>
      {(nodes) => (
        <NodeList
          {...parts}
          nodes={nodes}
          hasOthers={isFailed}
          {...(pages.hasMore
            ? {
                more: {
                  label: runWords.moreNodes,
                  isPending: pages.isLoadingMore,
                  onLoad: pages.loadMore,
                  // A refused page is retried by its button only, not endlessly.
                  isAutomatic: pages.failure === null,
                },
              }
            : nodes.length < total
              ? // More pages than are refetched automatically.
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

interface NodeListProps extends NodeParts {
  nodes: readonly TracedNode[]
  /** Only the failed nodes are loaded: the run has others. */
  hasOthers?: boolean
  more?: { label: string; isPending: boolean; onLoad(): void; isAutomatic: boolean }
}

function NodeList(props: NodeListProps) {
  const { run, root, nodes, hasOthers = false, nodeCount, failedNodeCount, more } = props
  const { paths } = usePlace()
  const [{ node, path, nodes: shown }, setParams] = useSearchParams(PARAMS)
  const { createdAt, startedAt, durationMs } = run
  const originMs = (startedAt ?? createdAt) * 1_000
  const all = useMemo(() => nodeRows(nodes, hasOthers ? { originMs } : null), [nodes, hasOthers, originMs])
  const inside = useMemo(() => (shown === 'failed' ? failedRows(all) : all), [shown, all])
  const shownCount = useMemo(() => inside.filter(({ kind }) => kind === 'node').length, [inside])
  const rows = useMemo(() => withRoot(inside, run), [inside, run])
  // The timeline of an active run ends now, in whole seconds.
  const runMs = durationMs ?? Math.max(0, Math.floor((serverNow() - originMs) / 1_000) * 1_000)
  const columns = useMemo(() => columnsFor(timelineMs(all, runMs)), [all, runMs])
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
  const isSplit = useIsSplit()
  // null: not among the loaded nodes, for example in a link to a distant node.
  const listed = nodes.find((one) => one.nodeId === node && one.path === path) ?? null
  const asked = useRunNode(run.runId, { nodeId: listed === null ? node : null, path })
  const list = (
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
        total={rows.length === 0 ? 0 : total + 1}
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
        {...(isSplit && {
          openedId: node === null ? run.runId : `${path}/${node}`,
          onMove: ({ node: one }: NodeRow) => setParams({ node: one?.nodeId ?? null, path: one?.path ?? '' }),
        })}
      />
    </Section>
  )
  return (
    <TraceView
      root={root}
      opened={
        node === null
          ? null
          : {
              title: (listed ?? asked.data)?.name ?? node,
              content: listed ? (
                <NodeDetails run={run} node={listed} />
              ) : asked.failure?.code === 'run_not_found' ? (
                <p className={styles.none}>{runWords.noNode}</p>
              ) : (
                <AskedPanel asked={asked} failed={runWords.runFailed}>
                  {(found) => <NodeDetails run={run} node={found} />}
                </AskedPanel>
              ),
              onClose: () => setParams({ node: null, path: '' }),
            }
      }
    >
      {list}
    </TraceView>
  )
}

/** @param totalMs the length of the timeline; all rows are within it */
function columnsFor(totalMs: number): readonly Column<NodeRow>[] {
  return [
    { id: 'node', title: runWords.node, cell: (row) => <NodeName row={row} /> },
    {
      id: 'timeline',
      title: runWords.timeline,
      head: <TimeAxis label={runWords.timeline} totalMs={totalMs} />,
      from: 'wide',
      width: '46%',
      cell: ({ kind, node, startMs, durationMs }) => (
        <TimeBar
          {...{ startMs, durationMs, totalMs }}
          tone={node?.status === 'failed' ? 'bad' : kind === 'node' ? 'normal' : 'quiet'}
        />
      ),
    },
    {
      id: 'took',
      title: runWords.duration,
      align: 'end',
      width: '80px',
      cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
    },
  ]
}

function NodeName({ row: { kind, depth, title, node, status } }: { row: NodeRow }) {
  const Icon = kind === 'iteration' ? Repeat : CornerDownRight
  return (
    <span className={styles.what} style={{ paddingInlineStart: `calc(${depth} * var(--indent))` }}>
      {status !== null && <Status state={stateOfRun(status)} look="icon" />}
      {kind !== 'run' && <Icon size={14} aria-hidden="true" />}
      <span className={styles.name}>
        {title}
        {node && <span className={styles.quiet}> {stepTypeTitle(node.type)}</span>}
      </span>
    </span>
  )
}
