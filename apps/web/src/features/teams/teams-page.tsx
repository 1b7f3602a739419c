import type { TeamSummary } from '@troupe/builder-contract'
import { Users } from 'lucide-react'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { PageLayout, Toolbar } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { DayOfRuns } from '../../atoms/states/day-of-runs.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { PageTurner } from '../../atoms/table/page-turner.tsx'
import { money } from '../../core/format/numbers.ts'
import { listWords, teamWords } from '../../core/messages/en/lists.ts'
import { choiceParam, countParam, textParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

const LIMIT = 50
const PARAMS = { q: textParam, sort: choiceParam(['-updatedAt', 'name'], '-updatedAt'), page: countParam }

const COLUMNS: readonly Column<TeamSummary>[] = [
  { id: 'name', title: listWords.name, isSortable: true, cell: ({ name }) => name },
  { id: 'mode', title: teamWords.mode, width: '168px', cell: ({ mode }) => teamWords.modes[mode] },
  {
    id: 'agents',
    title: teamWords.agents,
    from: 'wide',
    cell: ({ agents }) => agents.map(({ name }) => name).join(', ') || '–',
  },
  {
    id: 'day',
    title: listWords.lastDay,
    from: 'wide',
    cell: ({ runs24h }) => <DayOfRuns {...runs24h} words={listWords} />,
  },
  {
    id: 'cost',
    title: listWords.cost,
    align: 'end',
    width: '96px',
    from: 'widest',
    cell: ({ costUsd7d }) => money(costUsd7d),
  },
  {
    id: 'run',
    title: listWords.lastRun,
    width: '128px',
    from: 'wide',
    cell: ({ lastRunAt }) => <MomentText at={lastRunAt} none={listWords.never} />,
  },
]

/** The teams of an organization with their mode and their agents. */
export function TeamsPage() {
  const { paths, projectId } = usePlace()
  const [{ q, sort, page }, setParams] = useSearchParams(PARAMS)
  const teams = useOperation('listTeams', {
    query: { page, limit: LIMIT, sort, ...(q ? { q } : {}), ...(projectId ? { projectId } : {}) },
  })
  return (
    <PageLayout title={teamWords.title} detail={teamWords.detail}>
      <Toolbar label={teamWords.search}>
        <TextField
          label={teamWords.search}
          isLabelHidden
          type="search"
          placeholder={teamWords.search}
          value={q}
          onChange={(text) => setParams({ q: text, page: 1 })}
        />
      </Toolbar>
      <AskedPanel asked={teams} failed={teamWords.failed} lines={8}>
        {({ data, total }) => (
          <>
            <DataTable
              label={teamWords.title}
              rows={data}
              total={total}
              columns={COLUMNS}
              idOf={({ teamId }) => teamId}
              nameOf={({ name }) => name}
              hrefOf={({ teamId }) => paths.team(teamId)}
              isFormer={teams.isFormer}
              sort={sort}
              onSort={(next) => setParams({ sort: next === 'name' ? 'name' : '-updatedAt', page: 1 })}
              empty={
                <Empty
                  picture={<Users size={22} />}
                  title={q === '' ? teamWords.emptyTitle : teamWords.noneTitle}
                >
                  {q === '' ? teamWords.empty : teamWords.none}
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
