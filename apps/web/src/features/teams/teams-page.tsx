import type { TeamSummary } from '@troupe/contract/builder'
import { Users } from 'lucide-react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { LiveMark } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { money } from '../../core/format/numbers.ts'
import { listWords } from '../../core/messages/en/lists.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { teamWords } from '../../core/messages/en/teams/teams.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { namesText, WEEK_COLUMN } from '../../parts/lists/list-columns.tsx'
import { RunnablePeek } from '../../parts/lists/runnable-peek.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { useCreateActions } from '../../parts/lists/use-create-actions.tsx'
import { MovableTable } from '../../parts/move-things/movable-table.tsx'
import { ModePicture } from '../../parts/team-diagram/mode-picture.tsx'
import styles from './teams.module.css'
import { UsersOfTeam } from './users-of-team.tsx'

// The list does not wait for the controls of the dialog.
const NewTeamDialog = lazyPart(async () => (await import('./new-team-dialog.tsx')).NewTeamDialog)

const PARAMS = { ...LIST_PARAMS, create: flagParam, example: flagParam }

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
    cell: ({ agents }) => namesText(agents),
  },
  WEEK_COLUMN,
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

const idOfTeam = ({ teamId }: TeamSummary) => teamId

/** The teams of an organization with their modes and agents. */
export function TeamsPage() {
  const { paths, may, projectId } = usePlace()
  const [params, setParams] = useSearchParams(PARAMS)
  const teams = useOperation('listTeams', { query: listQuery(params, projectId) })
  const { q, sort, page, create, example } = params
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
      <MovableTable
        kind="team"
        asked={teams}
        words={teamWords}
        label={teamWords.title}
        columns={COLUMNS}
        idOf={idOfTeam}
        nameOf={({ name }) => name}
        hasTiles
        hrefOf={({ teamId }) => paths.team(teamId)}
        peekOf={(team) => (
          <RunnablePeek row={team} columns={COLUMNS}>
            {team.usedBy.length > 0 && <UsersOfTeam usedBy={team.usedBy} />}
          </RunnablePeek>
        )}
        {...turningOf({ sort, page }, setParams)}
        isFiltered={q !== ''}
        picture={<Users size={22} />}
        firstActions={firstActions}
      />
      {create && may('build') && (
        <LazyDialog>
          <NewTeamDialog isExample={example} onClose={() => setParams({ create: false, example: false })} />
        </LazyDialog>
      )}
    </PageLayout>
  )
}
