import type { ListedRun } from '@troupe/builder-contract'
import { Activity } from 'lucide-react'
import { Select } from '../../atoms/controls/select.tsx'
import { PageLayout, Toolbar } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { compactNumber, money } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { stateOfRun } from '../../core/runs/run-state.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

const KINDS = ['any', 'agent', 'team', 'workflow'] as const
const STATUSES = ['any', 'running', 'completed', 'failed', 'timeout', 'cancelled', 'queued'] as const
const PARAMS = { kind: choiceParam(KINDS, 'any'), status: choiceParam(STATUSES, 'any') }

const nameOf = ({ entity }: ListedRun) => entity.name ?? runWords.gone
const tokensOf = ({ inputTokens, outputTokens }: ListedRun) =>
  inputTokens === null ? '–' : compactNumber(inputTokens + (outputTokens ?? 0))

const COLUMNS: readonly Column<ListedRun>[] = [
  { id: 'what', title: runWords.what, cell: nameOf },
  {
    id: 'status',
    title: runWords.status,
    width: '128px',
    cell: ({ status }) => <Status state={stateOfRun(status)}>{runWords.statuses[status]}</Status>,
  },
  {
    id: 'source',
    title: runWords.source,
    width: '128px',
    from: 'wide',
    cell: ({ source }) => runWords.sources[source],
  },
  {
    id: 'error',
    title: runWords.error,
    from: 'widest',
    cell: ({ error }) => error?.message ?? '',
  },
  {
    id: 'duration',
    title: runWords.duration,
    align: 'end',
    width: '96px',
    from: 'wide',
    cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
  },
  { id: 'tokens', title: runWords.tokens, align: 'end', width: '80px', from: 'wide', cell: tokensOf },
  {
    id: 'cost',
    title: runWords.cost,
    align: 'end',
    width: '88px',
    from: 'widest',
    cell: ({ costUsd }) => money(costUsd),
  },
  {
    id: 'started',
    title: runWords.started,
    width: '120px',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
]

/** The explorer of runs: agents, teams and workflows in one list, newest first. */
export function RunsPage() {
  const { paths, projectId } = usePlace()
  const [{ kind, status }, setParams] = useSearchParams(PARAMS)
  const runs = useKeysetOperation('listRuns', {
    query: {
      limit: 100,
      ...(kind === 'any' ? {} : { kind }),
      ...(status === 'any' ? {} : { status }),
      ...(projectId ? { projectId } : {}),
    },
  })
  const isFiltered = kind !== 'any' || status !== 'any'
  return (
    <PageLayout title={runWords.title} detail={runWords.detail}>
      <Toolbar label={runWords.filters}>
        <Select
          label={runWords.what}
          isLabelHidden
          value={kind}
          onChange={(next) => setParams({ kind: next })}
          options={KINDS.map((id) => ({ id, label: id === 'any' ? runWords.anyKind : runWords.kinds[id] }))}
        />
        <Select
          label={runWords.status}
          isLabelHidden
          value={status}
          onChange={(next) => setParams({ status: next })}
          options={STATUSES.map((id) => ({
            id,
            label: id === 'any' ? runWords.anyStatus : runWords.statuses[id],
          }))}
        />
      </Toolbar>
      <AskedPanel asked={runs} failed={runWords.failed} lines={10}>
        {(rows) => (
          <DataTable
            label={runWords.title}
            rows={rows}
            columns={COLUMNS}
            idOf={({ runId }) => runId}
            nameOf={(run) => `${nameOf(run)}, ${runWords.statuses[run.status]}`}
            hrefOf={({ runId }) => paths.run(runId)}
            {...(runs.hasMore
              ? { more: { label: runWords.more, isPending: runs.isLoadingMore, onLoad: runs.loadMore } }
              : {})}
            empty={
              <Empty
                picture={<Activity size={22} />}
                title={isFiltered ? runWords.noneTitle : runWords.emptyTitle}
              >
                {isFiltered ? runWords.none : runWords.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
    </PageLayout>
  )
}
