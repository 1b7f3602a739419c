import type { ListedVoiceSession } from '@troupe/contract/builder'
import { AudioLines, Globe, PhoneOutgoing } from 'lucide-react'
import { Select } from '../../atoms/controls/select.tsx'
import { PageLayout, Toolbar } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { IdText } from '../../atoms/text/id-text.tsx'
import { decimalNumber } from '../../core/format/numbers.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { duration, millisecondsOf } from '../../core/format/times.ts'
import { voiceSessionWords as words } from '../../core/messages/en/voice/voice-sessions.ts'
import { choiceParam, optionalParam } from '../../core/url/search-params.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { olderRows } from '../../parts/lists/older-rows.ts'
import { SearchedEmpty } from '../../parts/lists/searched-empty.tsx'
import { NoMediaServer } from '../../parts/media-server/no-media-server.tsx'
import { ListPicker } from '../../parts/pickers/list-picker.tsx'
import { AGENTS } from '../../parts/pickers/searched-lists.ts'
import styles from './voice.module.css'
import { VoiceTabs } from './voice-tabs.tsx'

const STATES = ['all', 'in_flight', 'completed', 'failed'] as const
const PARAMS = { state: choiceParam(STATES, 'all'), agent: optionalParam }
const WATCH_MS = 10_000

const nameOf = ({ agent }: ListedVoiceSession) => agent.name ?? words.deleted

const leadOfRow = (session: ListedVoiceSession) => (
  <Avatar id={session.agent.id} name={nameOf(session)} shape="square" size="small" />
)

const LOOKS = {
  starting: 'queued',
  waiting: 'waiting',
  dialing: 'running',
  active: 'running',
  completed: 'completed',
  failed: 'failed',
} as const

const COLUMNS: readonly Column<ListedVoiceSession>[] = [
  {
    id: 'agent',
    title: words.columns.agent,
    width: '18%',
    cell: nameOf,
    under: (row) => (
      <>
        <MomentText at={row.createdAt} /> · {durationText(row)}
      </>
    ),
  },
  {
    id: 'where',
    title: words.columns.where,
    width: '168px',
    from: 'wider',
    cell: ({ to }) => {
      if (to !== null)
        return (
          <span className={styles.provider}>
            <PhoneOutgoing size={14} className={styles.icon} role="img" aria-label={words.callTo} />
            {to}
          </span>
        )
      return (
        <span className={styles.provider}>
          <Globe size={14} className={styles.icon} />
          {words.browser}
        </span>
      )
    },
  },
  {
    id: 'state',
    title: words.columns.state,
    width: '116px',
    cell: ({ state }) => <Status state={LOOKS[state]}>{words.states[state]}</Status>,
  },
  { id: 'ended', title: words.columns.ended, from: 'wider', cell: endText },
  {
    id: 'user',
    title: words.columns.user,
    width: '15%',
    from: 'vast',
    cell: ({ userId }) => (userId === null ? '–' : <IdText id={userId} />),
  },
  {
    id: 'started',
    title: words.columns.started,
    width: '128px',
    from: 'wide',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
  {
    id: 'duration',
    title: words.columns.duration,
    align: 'end',
    width: '104px',
    from: 'wide',
    cell: durationText,
  },
  {
    id: 'minutes',
    title: words.columns.minutes,
    align: 'end',
    width: '80px',
    from: 'widest',
    cell: ({ voiceMinutes }) => (voiceMinutes === null ? '–' : decimalNumber(voiceMinutes)),
  },
]

/** Voice sessions and outbound calls, newest first, each with a link to its transcript. */
export function VoiceSessionsPage() {
  const { paths, projectId, session } = usePlace()
  const [{ state, agent }, setParams] = useSearchParams(PARAMS)
  const sessions = useKeysetOperation(
    'listVoiceSessions',
    {
      query: {
        limit: 50,
        ...(state === 'all' ? {} : { state }),
        ...(agent ? { agentId: agent } : {}),
        ...(projectId ? { projectId } : {}),
      },
    },
    { everyMs: WATCH_MS },
  )
  const isFiltered = state !== 'all' || agent !== null
  return (
    <PageLayout title={words.title} detail={words.detail} tabs={<VoiceTabs current="sessions" />}>
      <NoMediaServer />
      <Toolbar label={words.filters}>
        <ListPicker
          list={AGENTS}
          label={words.columns.agent}
          isLabelHidden
          placeholder={words.anyAgent}
          isFilter
          value={agent}
          onChange={(next) => setParams({ agent: next })}
        />
        <Select
          label={words.state}
          isLabelHidden
          value={state}
          clearTo="all"
          onChange={(next) => setParams({ state: next })}
          options={STATES.map((id) => ({ id, label: words.stateFilters[id] }))}
        />
      </Toolbar>
      <AskedPanel asked={sessions} failed={words.failed} waiting={<WaitingTable columns={COLUMNS} hasLead />}>
        {(rows) => (
          <DataTable
            label={words.title}
            rows={rows}
            columns={COLUMNS}
            idOf={({ voiceSessionId }) => voiceSessionId}
            nameOf={nameOf}
            leadOf={leadOfRow}
            hrefOf={({ sessionId }) => (sessionId === null ? undefined : paths.session(sessionId))}
            isFormer={sessions.isFormer}
            {...olderRows(sessions, words.more)}
            empty={
              <SearchedEmpty
                picture={<AudioLines size={22} />}
                title={isFiltered ? words.noneTitle : words.emptyTitle}
                pages={sessions}
                search={words.searchOlder}
              >
                {isFiltered ? words.none : session.server.voice ? words.empty : words.emptyWithoutServer}
              </SearchedEmpty>
            }
          />
        )}
      </AskedPanel>
    </PageLayout>
  )
}

function endText({ endedReason, failureMessage, sipStatusCode }: ListedVoiceSession): string {
  if (endedReason === null) return '–'
  const reason = words.reasons[endedReason] ?? endedReason
  if (failureMessage === null) return reason
  return words.failedCall(reason, failureMessage, sipStatusCode)
}

function durationText({ connectedAt, endedAt }: ListedVoiceSession): string {
  if (connectedAt === null) return '–'
  const end = endedAt === null ? serverNow() : millisecondsOf(endedAt)
  return duration(Math.max(0, end - millisecondsOf(connectedAt)))
}
