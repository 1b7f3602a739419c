import type { WorkflowOverviewItem } from '@troupe/builder-contract'
import { Workflow } from 'lucide-react'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { PageLayout, Toolbar } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { DayOfRuns } from '../../atoms/states/day-of-runs.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { PageTurner } from '../../atoms/table/page-turner.tsx'
import { listWords, workflowWords } from '../../core/messages/en/lists.ts'
import { choiceParam, countParam, textParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

const LIMIT = 50
const PARAMS = { q: textParam, sort: choiceParam(['-updatedAt', 'name'], '-updatedAt'), page: countParam }

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
  const [{ q, sort, page }, setParams] = useSearchParams(PARAMS)
  const workflows = useOperation('listWorkflows', {
    query: { page, limit: LIMIT, sort, ...(q ? { q } : {}), ...(projectId ? { projectId } : {}) },
  })
  return (
    <PageLayout title={workflowWords.title} detail={workflowWords.detail}>
      <Toolbar label={workflowWords.search}>
        <TextField
          label={workflowWords.search}
          isLabelHidden
          type="search"
          placeholder={workflowWords.search}
          value={q}
          onChange={(text) => setParams({ q: text, page: 1 })}
        />
      </Toolbar>
      <AskedPanel asked={workflows} failed={workflowWords.failed} lines={8}>
        {({ data, total }) => (
          <>
            <DataTable
              label={workflowWords.title}
              rows={data}
              total={total}
              columns={COLUMNS}
              idOf={({ workflowId }) => workflowId}
              nameOf={({ name }) => name}
              hrefOf={({ workflowId }) => paths.workflow(workflowId)}
              isFormer={workflows.isFormer}
              sort={sort}
              onSort={(next) => setParams({ sort: next === 'name' ? 'name' : '-updatedAt', page: 1 })}
              empty={
                <Empty
                  picture={<Workflow size={22} />}
                  title={q === '' ? workflowWords.emptyTitle : workflowWords.noneTitle}
                >
                  {q === '' ? workflowWords.empty : workflowWords.none}
                </Empty>
              }
            />
            <PageTurner
              page={page}
              limit={LIMIT}
              total={total}
              words={listWords}
              onTurn={(next) => setParams({ page: next }, { push: true })}
            />
          </>
        )}
      </AskedPanel>
    </PageLayout>
  )
}
