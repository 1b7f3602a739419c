import type { WorkflowOverviewItem } from '@troupe/builder-contract'
import { Workflow } from 'lucide-react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { DayOfRuns } from '../../atoms/states/day-of-runs.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { listWords, workflowWords } from '../../core/messages/en/lists.ts'
import { LIST_PARAMS, listQuery, listSort, PAGE_ROWS } from '../../core/url/list-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

const COLUMNS: readonly Column<WorkflowOverviewItem>[] = [
  { id: 'name', title: listWords.name, isSortable: true, cell: ({ name }) => name },
  {
    id: 'published',
    title: workflowWords.published,
    cell: ({ publishedNumber, isDraftPublished }) => (
      <>
        {publishedNumber === null ? <DraftMark /> : <LiveMark version={publishedNumber} />}
        {publishedNumber !== null && !isDraftPublished && <DraftMark>{workflowWords.changes}</DraftMark>}
      </>
    ),
  },
  {
    id: 'triggers',
    title: workflowWords.triggers,
    from: 'wide',
    cell: ({ triggers }) => triggers.map((one) => one.replaceAll('-', ' ')).join(', ') || '–',
  },
  {
    id: 'fire',
    title: workflowWords.nextFire,
    width: '128px',
    from: 'widest',
    cell: ({ nextFireAt }) => <MomentText at={nextFireAt} />,
  },
  {
    id: 'day',
    title: listWords.lastDay,
    from: 'wide',
    cell: ({ runs24h }) => <DayOfRuns {...runs24h} words={listWords} />,
  },
  {
    id: 'run',
    title: listWords.lastRun,
    width: '128px',
    from: 'wide',
    cell: ({ lastRunAt }) => <MomentText at={lastRunAt} none={listWords.never} />,
  },
]

/** The workflows of an organization: what callers run, what waits as a draft, and how they do. */
export function WorkflowsPage() {
  const { paths, projectId } = usePlace()
  const [params, setParams] = useSearchParams(LIST_PARAMS)
  const workflows = useOperation('listWorkflows', { query: listQuery(params, projectId) })
  const { q, sort, page } = params
  return (
    <PageLayout title={workflowWords.title} detail={workflowWords.detail}>
      <SearchToolbar
        label={workflowWords.search}
        value={q}
        onChange={(text) => setParams({ q: text, page: 1 })}
      />
      <AskedPanel asked={workflows} failed={workflowWords.failed} lines={8}>
        {({ data, total }) => (
          <PagedTable
            label={workflowWords.title}
            rows={data}
            total={total}
            columns={COLUMNS}
            idOf={({ workflowId }) => workflowId}
            nameOf={({ name }) => name}
            hrefOf={({ workflowId }) => paths.workflow(workflowId)}
            isFormer={workflows.isFormer}
            sort={sort}
            onSort={(next) => setParams({ sort: listSort(next), page: 1 })}
            page={page}
            limit={PAGE_ROWS}
            words={listWords}
            onTurn={(next) => setParams({ page: next }, { push: true })}
            empty={
              <Empty
                picture={<Workflow size={22} />}
                title={q === '' ? workflowWords.emptyTitle : workflowWords.noneTitle}
              >
                {q === '' ? workflowWords.empty : workflowWords.none}
              </Empty>
            }
          />
        )}
      </AskedPanel>
    </PageLayout>
  )
}
