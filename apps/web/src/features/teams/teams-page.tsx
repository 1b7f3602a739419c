import type { TeamSummary } from '@troupe/contract/builder'
import { Users } from 'lucide-react'
import { Suspense } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { LiveMark } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import { WeekOfRuns } from '../../atoms/states/week-of-runs.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { money } from '../../core/format/numbers.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { weekWords } from '../../core/lists/week-words.ts'
import { listWords, teamWords } from '../../core/messages/en/lists.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { RunnablePeek } from '../../parts/lists/runnable-peek.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { useCreateActions } from '../../parts/lists/use-create-actions.tsx'
import { MoveSelection, useRowsToMove } from '../../parts/move-things/move-selection.tsx'
import { ModePicture } from '../../parts/team-diagram/mode-picture.tsx'
import styles from './teams.module.css'
import { UsersOfTeam } from './users-of-team.tsx'

// The list does not wait for the controls of the dialog.
const NewTeamDialog = lazyPart(async () => (await import('./new-team-dialog.tsx')).NewTeamDialog)

const PARAMS = { ...LIST_PARAMS, create: flagParam, example: flagParam }

const leadOfRow = ({ teamId, name }: TeamSummary) => (
  <Avatar id={teamId} name={name} shape="square" size="small" />
)

const COLUMNS: readonly Column<TeamSummary>[] = [
  { id: 'name', title: listWords.name, width: '24%', isSortable: true, cell: ({ name }) => name },
  {
    id: 'mode',
    title: teamWords.mode,
    width: 'clamp(9.5rem, 20vw, 13rem)',
    cell: ({ mode }) => (
      <span className={styles.modeCell}>
        <ModePicture mode={mode} />
        <span className={styles.modeName}>{teamWords.modes[mode]}</span>
      </span>
    ),
  },
  {
    id: 'version',
    title: listWords.version,
    width: '88px',
    from: 'wider',
    cell: ({ versionNumber }) => <LiveMark version={versionNumber} />,
  },
  {
    id: 'agents',
    title: teamWords.agents,
    from: 'wider',
    cell: ({ agents }) => agents.map(({ name }) => name).join(', ') || '–',
  },
  {
    id: 'week',
    title: listWords.week,
    width: '160px',
    from: 'wide',
    cell: ({ runs7d, runs24h, lastRunAt }) => (
      <WeekOfRuns
        {...runs7d}
        {...weekWords(runs7d, lastRunAt, serverNow())}
        failures={runs24h.failed > 0 && listWords.failedToday(runs24h.failed)}
      />
    ),
  },
  {
    id: 'cost',
    title: listWords.cost,
    align: 'end',
    width: '96px',
    from: 'huge',
    cell: ({ costUsd7d }) => money(costUsd7d),
  },
  {
    id: 'run',
    title: listWords.lastCall,
    width: '128px',
    from: 'widest',
    cell: ({ lastRunAt }) => <MomentText at={lastRunAt} none={listWords.notCalled} />,
  },
]

const NONE: readonly TeamSummary[] = []
const idOfTeam = ({ teamId }: TeamSummary) => teamId

/** The teams of an organization with their modes and agents. */
export function TeamsPage() {
  const { paths, may, projectId } = usePlace()
  const [params, setParams] = useSearchParams(PARAMS)
  const teams = useOperation('listTeams', { query: listQuery(params, projectId) })
  const { q, sort, page, create, example } = params
  const { choice, choosing } = useRowsToMove(teams.data?.data ?? NONE, idOfTeam)
  const { button, firstActions } = useCreateActions(teamPageWords.create.button, (form) =>
    setParams(form, { push: true }),
  )
  return (
    <PageLayout title={teamWords.title} detail={teamWords.detail} actions={button}>
      <SearchToolbar
        label={teamWords.search}
        value={q}
        onChange={(text) => setParams({ q: text, page: 1 })}
      />
      <MoveSelection
        kind="team"
        choice={choice}
        thingOf={({ teamId: id, name, projectId: of }) => ({ id, name, projectId: of })}
      />
      <AskedPanel
        asked={teams}
        failed={teamWords.failed}
        waiting={<WaitingTable columns={COLUMNS} hasLead />}
      >
        {({ data, total }) => (
          <PagedTable
            label={teamWords.title}
            rows={data}
            total={total}
            columns={COLUMNS}
            idOf={idOfTeam}
            nameOf={({ name }) => name}
            leadOf={leadOfRow}
            hrefOf={({ teamId }) => paths.team(teamId)}
            peekOf={(team) => (
              <RunnablePeek row={team} columns={COLUMNS}>
                {team.usedBy.length > 0 && <UsersOfTeam usedBy={team.usedBy} />}
              </RunnablePeek>
            )}
            isFormer={teams.isFormer}
            {...choosing}
            {...turningOf({ sort, page }, setParams)}
            empty={
              <Empty
                picture={<Users size={22} />}
                title={q === '' ? teamWords.emptyTitle : teamWords.noneTitle}
                {...(q === '' ? { actions: firstActions } : {})}
              >
                {q === '' ? teamWords.empty : teamWords.none}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      {create && may('build') && (
        <Suspense>
          <NewTeamDialog isExample={example} onClose={() => setParams({ create: false, example: false })} />
        </Suspense>
      )}
    </PageLayout>
  )
}
