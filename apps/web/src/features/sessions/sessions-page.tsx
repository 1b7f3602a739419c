import type { ListedSession } from '@troupe/contract/builder'
import { MessagesSquare } from 'lucide-react'
import { useDeferredValue } from 'react'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { PageLayout, Toolbar } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { IdText } from '../../atoms/text/id-text.tsx'
import { money, wholeNumber } from '../../core/format/numbers.ts'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { stateOfRun } from '../../core/runs/run-state.ts'
import { optionalParam, textParam } from '../../core/url/search-params.ts'
import { useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { olderRows } from '../../parts/lists/older-rows.ts'
import { SearchedEmpty } from '../../parts/lists/searched-empty.tsx'
import { RunTabs } from '../../parts/run-tabs/run-tabs.tsx'

const PARAMS = { user: textParam, session: textParam, entity: optionalParam }
const leadOfRow = ({ kind }: ListedSession) => <KindTile kind={kind} size="small" label={words.kinds[kind]} />
const nameOfSession = ({ entity }: ListedSession) => entity.name ?? words.deleted

const COLUMNS: readonly Column<ListedSession>[] = [
  {
    id: 'first',
    title: words.first,
    cell: ({ firstMessage }) => firstMessage ?? words.noFirst,
    under: (row) => (
      <>
        {nameOfSession(row)} · <MomentText at={row.createdAt} />
      </>
    ),
  },
  { id: 'with', title: words.with, width: '160px', from: 'wide', cell: nameOfSession },
  {
    id: 'session',
    title: words.session,
    width: '152px',
    from: 'vast',
    cell: ({ sessionId }) => <IdText id={sessionId} />,
  },
  {
    id: 'user',
    title: words.user,
    width: '176px',
    from: 'wide',
    cell: ({ userId }) => (userId ? <IdText id={userId} /> : <span data-none>{words.noUser}</span>),
  },
  {
    id: 'status',
    title: words.status,
    width: '120px',
    from: 'wider',
    cell: ({ lastStatus }) =>
      lastStatus === null ? (
        words.runsGone
      ) : (
        <Status state={stateOfRun(lastStatus)}>{runWords.statuses[lastStatus]}</Status>
      ),
  },
  {
    id: 'runs',
    title: words.turns,
    align: 'end',
    width: '72px',
    cell: ({ runs }) => wholeNumber(runs),
  },
  {
    id: 'cost',
    title: words.cost,
    align: 'end',
    width: '88px',
    from: 'wide',
    cell: ({ costUsd }) => money(costUsd),
  },
  {
    id: 'started',
    title: words.started,
    width: '136px',
    from: 'wide',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
]

/** Conversations with agents and teams, newest first. */
export function SessionsPage() {
  const { paths, projectId } = usePlace()
  const [{ user, session, entity }, setParams] = useSearchParams(PARAMS)
  const [userId, sessionId] = [useDeferredValue(user.trim()), useDeferredValue(session.trim())]
  const sessions = useKeysetOperation('listSessions', {
    query: {
      limit: 100,
      ...(userId ? { userId } : {}),
      ...(sessionId ? { sessionId } : {}),
      ...(entity ? { entityId: entity } : {}),
      ...(projectId ? { projectId } : {}),
    },
  })
  useRefreshOn(['runs'], ['listSessions'])
  const isFiltered = userId !== '' || sessionId !== '' || entity !== null
  return (
    <PageLayout title={words.title} detail={words.detail} tabs={<RunTabs current="sessions" />}>
      <Toolbar label={words.filters}>
        <TextField
          label={words.search}
          isLabelHidden
          type="search"
          placeholder={words.search}
          value={user}
          onChange={(next) => setParams({ user: next })}
        />
        <TextField
          label={words.searchSession}
          isLabelHidden
          type="search"
          placeholder={words.searchSession}
          value={session}
          onChange={(next) => setParams({ session: next })}
        />
      </Toolbar>
      <AskedPanel asked={sessions} failed={words.failed} waiting={<WaitingTable columns={COLUMNS} hasLead />}>
        {(rows) => (
          <DataTable
            label={words.title}
            rows={rows}
            columns={COLUMNS}
            idOf={({ id }) => id}
            leadOf={leadOfRow}
            nameOf={(row) => `${nameOfSession(row)}, ${row.firstMessage ?? row.sessionId}`}
            hrefOf={({ id }) => paths.session(id)}
            isFormer={sessions.isFormer}
            {...olderRows(sessions, words.more)}
            empty={
              <SearchedEmpty
                picture={<MessagesSquare size={22} />}
                title={isFiltered ? words.noneTitle : words.emptyTitle}
                pages={sessions}
                search={words.searchOlder}
              >
                {isFiltered ? words.none : words.empty}
              </SearchedEmpty>
            }
          />
        )}
      </AskedPanel>
    </PageLayout>
  )
}
