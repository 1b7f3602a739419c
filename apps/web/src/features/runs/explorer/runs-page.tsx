import type { ListedRun } from '@troupe/contract/builder'
import { Activity, Download } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../../atoms/layout/page.tsx'
import { useArrivals } from '../../../atoms/motion/use-arrivals.ts'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Empty, Skeleton } from '../../../atoms/states/panels.tsx'
import { DataTable } from '../../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../../atoms/table/waiting-table.tsx'
import { wholeNumber } from '../../../core/format/numbers.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { isNarrowed, RUN_PARAMS, type RunParams } from '../../../core/runs/run-filter.ts'
import { shownStatus } from '../../../core/runs/run-state.ts'
import { readParams } from '../../../core/url/search-params.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { RunTabs } from '../../../parts/run-tabs/run-tabs.tsx'
import { EXPLORER_COLUMNS, nameOfRun } from './run-columns.tsx'
import { RunMenu } from './run-menu.tsx'
import { RunsFilters } from './runs-filters.tsx'
import { useExport } from './use-export.ts'
import { type ShownRuns, useRuns } from './use-runs.ts'

const NO_FILTERS = readParams(RUN_PARAMS, new URLSearchParams())
const idOfRun = ({ runId }: ListedRun) => runId
const nameOfRow = (run: ListedRun) => `${nameOfRun(run)}, ${runWords.statuses[shownStatus(run)]}`
// Loaded on demand: the page is near its size budget.
const RunsChart = lazyPart(async () => (await import('./runs-chart.tsx')).RunsChart)
const SelectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).SelectionBar)
const FailureCausesList = lazyPart(async () => (await import('./failure-causes-list.tsx')).FailureCausesList)
const RunPeek = lazyPart(async () => (await import('./run-peek.tsx')).RunPeek)
const peekOfRun = (run: ListedRun) => (
  <Suspense fallback={<Skeleton lines={6} />}>
    <RunPeek run={run} />
  </Suspense>
)
/** Below this share of a full page, the page results from a search: the next one is loaded only by a press. */
const FULL_SHARE = 0.5

/** New runs are above the ones that were loaded first. */
const HEAD_ROWS = 200

/** The explorer of runs: agents, teams and workflows in one list, newest first. */
export function RunsPage() {
  const [params, setParams] = useSearchParams(RUN_PARAMS)
  const runs = useRuns(params)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const head = useMemo(
    () => (runs.pages.isFormer ? null : (runs.rows?.slice(0, HEAD_ROWS).map(idOfRun) ?? null)),
    [runs.rows, runs.pages.isFormer],
  )
  const arrived = useArrivals(runs.filter, head, true)
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : (runs.rows ?? []).filter(({ runId }) => selected.has(runId))),
    [runs.rows, selected],
  )
  const change = (next: Partial<RunParams>) => {
    setSelected(new Set())
    setParams(next)
  }
  const narrow = (from: number, to: number) => {
    setSelected(new Set())
    setParams({ from, to }, { push: true })
  }
  const hasChart = params.range !== 'all' || params.from !== null
  return (
    <PageLayout
      title={runWords.title}
      detail={runWords.detail}
      actions={<ExportButton query={runs.query} isEmpty={runs.rows?.length === 0} />}
      tabs={<RunTabs current="runs" />}
    >
      <RunsFilters params={params} onChange={change} />
      {hasChart && (
        <Suspense fallback={<Skeleton lines={3} />}>
          <RunsChart query={runs.query} range={params.range} onNarrow={narrow} />
        </Suspense>
      )}
      {params.status === 'failed' && params.cause === '' && (
        <Suspense fallback={null}>
          <FailureCausesList params={params} query={runs.query} />
        </Suspense>
      )}
      {chosen.length > 0 && (
        <Suspense fallback={null}>
          <SelectionBar runs={chosen} onChanged={runs.note} onClear={() => setSelected(new Set())} />
        </Suspense>
      )}
      <AskedPanel
        asked={{ ...runs.pages, data: runs.rows }}
        failed={runWords.failed}
        waiting={<WaitingTable columns={EXPLORER_COLUMNS} hasChoice="wide" hasActions />}
      >
        {(rows) => (
          <RunsTable
            runs={runs}
            rows={rows}
            arrived={arrived}
            selected={selected}
            onSelect={setSelected}
            empty={
              <NoRuns params={params} runs={runs} onClear={() => change({ ...NO_FILTERS, range: 'all' })} />
            }
          />
        )}
      </AskedPanel>
    </PageLayout>
  )
}

interface RunsTableProps {
  runs: ShownRuns
  rows: readonly ListedRun[]
  arrived: ReadonlySet<string>
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
  empty: ReactNode
}

function RunsTable({ runs, rows, arrived, selected, onSelect, empty }: RunsTableProps) {
  const { paths } = usePlace()
  const { pages, newer, showNewer, note } = runs
  // The same functions for every render, so that rows are not rendered again during scrolling.
  const hrefOf = useCallback(({ runId }: ListedRun) => paths.run(runId), [paths])
  const menuOfRun = useCallback((run: ListedRun) => <RunMenu run={run} onChanged={note} />, [note])
  const show = () => {
    showNewer()
    window.scrollTo({ top: 0 })
  }
  return (
    <DataTable
      label={runWords.title}
      rows={rows}
      columns={EXPLORER_COLUMNS}
      arrived={arrived}
      idOf={idOfRun}
      nameOf={nameOfRow}
      hrefOf={hrefOf}
      isFormer={pages.isFormer}
      selected={selected}
      onSelect={onSelect}
      selectFrom="wide"
      actionsOf={menuOfRun}
      peekOf={peekOfRun}
      {...(newer.count > 0
        ? { newer: { label: runWords.newer(newer.count, newer.isMore), onShow: show } }
        : {})}
      {...(pages.hasMore
        ? {
            more: {
              label: runWords.more,
              isPending: pages.isLoadingMore,
              onLoad: pages.loadMore,
              // A refused page is retried by its button only, not endlessly.
              isAutomatic: pages.lastPageShare >= FULL_SHARE && pages.failure === null,
            },
          }
        : {})}
      empty={empty}
    />
  )
}

function NoRuns({ params, runs, onClear }: { params: RunParams; runs: ShownRuns; onClear(): void }) {
  const { pages } = runs
  if (pages.hasMore) {
    return (
      <Empty
        picture={<Activity size={22} />}
        title={runWords.searching}
        actions={
          <Button isPending={pages.isLoadingMore} onPress={pages.loadMore}>
            {runWords.searchOlder}
          </Button>
        }
      >
        {runWords.searchingDetail}
      </Empty>
    )
  }
  return <NoneFound isFiltered={isNarrowed(params)} onClear={onClear} />
}

/** The default range is not the user's filter: if nothing has ever run, the page explains the first steps. */
function NoneFound({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const { paths, projectId } = usePlace()
  const any = useOperation(
    'listRuns',
    { query: { limit: 1, ...(projectId ? { projectId } : {}) } },
    { isEnabled: !isFiltered },
  )
  if (any.isLoading) return <Skeleton lines={3} />
  const isNew = !isFiltered && any.data?.data.length === 0
  return (
    <Empty
      picture={<Activity size={22} />}
      title={isNew ? runWords.emptyTitle : runWords.noneTitle}
      actions={
        isNew ? (
          <LinkButton href={paths.agents}>{runWords.toAgents}</LinkButton>
        ) : (
          <Button onPress={onClear}>{runWords.clear}</Button>
        )
      }
    >
      {isNew ? runWords.empty : runWords.none}
    </Empty>
  )
}

function ExportButton({ query, isEmpty }: { query: ShownRuns['query']; isEmpty: boolean }) {
  const { count, start, stop } = useExport(query)
  if (count !== null) {
    return <Button onPress={stop}>{runWords.exporting(wholeNumber(count))}</Button>
  }
  return (
    <Button icon={<Download size={16} />} onPress={start} isDisabled={isEmpty}>
      {runWords.exportAll}
    </Button>
  )
}
