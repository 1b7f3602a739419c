import type { BuilderWorkflow, ListedRun } from '@troupe/contract/builder'
import { Activity } from 'lucide-react'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { useArrivals } from '../../../atoms/motion/use-arrivals.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Status } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import type { Column } from '../../../atoms/table/columns.ts'
import { DataTable } from '../../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../../atoms/table/waiting-table.tsx'
import { duration } from '../../../core/format/times.ts'
import { startedByText } from '../../../core/labels/started-by-text.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { versionWords } from '../../../core/messages/en/workflows/publish.ts'
import { workflowRunWords as words } from '../../../core/messages/en/workflows/running.ts'
import { stateOfRun } from '../../../core/runs/run-state.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { useRefreshOn } from '../../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './runs.module.css'

const COLUMNS: readonly Column<ListedRun>[] = [
  {
    id: 'started',
    title: runWords.started,
    width: '128px',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
  {
    id: 'status',
    title: runWords.status,
    width: '160px',
    cell: ({ status }) => <Status state={stateOfRun(status)}>{runWords.statuses[status]}</Status>,
  },
  { id: 'source', title: runWords.source, from: 'wide', cell: startedByText },
  {
    id: 'version',
    title: runWords.version,
    width: '88px',
    from: 'wider',
    cell: ({ versionNumber }) => (versionNumber === null ? '–' : versionWords.version(versionNumber)),
  },
  { id: 'error', title: runWords.error, from: 'widest', cell: ({ error }) => error?.message ?? '' },
  {
    id: 'duration',
    title: runWords.duration,
    align: 'end',
    width: '104px',
    from: 'wide',
    cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
  },
]

/** The newest runs of the workflow; the explorer has them all. */
export function RunsTab({ workflow }: { workflow: BuilderWorkflow }) {
  const { paths } = usePlace()
  const { workflowId } = workflow
  const runs = useOperation('listRuns', { query: { kind: 'workflow', entityId: workflowId, limit: 20 } })
  useRefreshOn(['runs'], ['listRuns'])
  const arrived = useArrivals(workflowId, runs.data?.data.map(({ runId }) => runId) ?? null)
  return (
    <div className={styles.tab}>
      <AskedPanel asked={runs} failed={words.failed} waiting={<WaitingTable columns={COLUMNS} />}>
        {({ data }) => (
          <DataTable
            label={words.label}
            rows={data}
            arrived={arrived}
            columns={COLUMNS}
            idOf={({ runId }) => runId}
            nameOf={({ status }) => runWords.statuses[status]}
            hrefOf={({ runId }) => paths.run(runId)}
            empty={
              <Empty picture={<Activity size={22} />} title={words.emptyTitle}>
                {words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      <div>
        <LinkButton href={withSearch(paths.runs, { kind: 'workflow', entity: workflowId })}>
          {words.all}
        </LinkButton>
      </div>
    </div>
  )
}
