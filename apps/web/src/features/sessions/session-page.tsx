import type { SessionDetail } from '@troupe/contract/builder'
import { CopiedId } from '../../atoms/controls/copied-id.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { FactStrip } from '../../atoms/layout/fact-strip.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { money, wholeNumber } from '../../core/format/numbers.ts'
import { shortId } from '../../core/format/short-id.ts'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { stateOfRun } from '../../core/runs/run-state.ts'
import { withSearch } from '../../core/url/paths.ts'
import { useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { GoneThing } from '../../parts/gone/gone-thing.tsx'
import { SessionTurns } from './session-turns.tsx'
import { RememberedOfUser } from './user-memories.tsx'

/** A longer title would read like a paragraph; the first turn shows the whole message. */
const TITLE_CHARACTERS = 90

/** One conversation across its runs: messages, summaries and memories, and the model's view. */
export function SessionPage() {
  const { paths } = usePlace()
  const id = usePathParam('sessionId')
  const session = useOperation('getRunSession', { params: { id } })
  useRefreshOn(['runs'], ['getRunSession'])
  const { data } = session
  const isGone = session.failure?.code === 'session_not_found'
  return (
    <PageLayout
      title={isGone ? words.goneTitle : data ? titleOf(data) : words.one}
      isBare={isGone}
      crumbs={[{ label: words.title, href: paths.sessions }]}
      width="narrow"
      {...(data
        ? {
            lead: <KindTile kind={data.kind} label={words.kinds[data.kind]} />,
            mark: <LastStatus session={data} />,
            detail: <SessionLinks session={data} />,
          }
        : {})}
    >
      {isGone ? (
        <GoneThing
          kind="session"
          id={id}
          title={words.goneTitle}
          detail={words.goneDetail}
          href={paths.sessions}
          label={words.all}
        />
      ) : (
        <AskedPanel asked={session} failed={words.sessionFailed} lines={8}>
          {(shown) => (
            <>
              <SessionFacts session={shown} />
              <SessionTurns session={shown} />
              {shown.userId !== '' && <RememberedOfUser session={shown} />}
            </>
          )}
        </AskedPanel>
      )}
    </PageLayout>
  )
}

/** The beginning of the first message; if texts are not stored, the agent or team. */
function titleOf({ firstMessage, entity }: SessionDetail): string {
  const text = firstMessage?.replaceAll(/\s+/g, ' ').trim() ?? ''
  if (text === '') return words.conversation(entity.name ?? words.deleted)
  return text.length > TITLE_CHARACTERS ? `${text.slice(0, TITLE_CHARACTERS).trimEnd()}…` : text
}

/** The status of the newest run; nothing if the runs are deleted. */
function LastStatus({ session: { lastStatus } }: { session: SessionDetail }) {
  if (lastStatus === null) return null
  return (
    <Status state={stateOfRun(lastStatus)} look="badge">
      {runWords.statuses[lastStatus]}
    </Status>
  )
}

/** The agent or team of a conversation, and the runs of its turns. */
function SessionLinks({ session: { kind, entity, sessionId } }: { session: SessionDetail }) {
  const { paths } = usePlace()
  const entityPath = { agent: paths.agent, team: paths.team }[kind]
  return (
    <>
      {words.kinds[kind]} <TextLink href={entityPath(entity.id)}>{entity.name ?? words.deleted}</TextLink>
      {' · '}
      <TextLink href={withSearch(paths.runs, { session: sessionId, entity: entity.id, range: 'all' })}>
        {words.allRuns}
      </TextLink>
    </>
  )
}

function SessionFacts({ session }: { session: SessionDetail }) {
  const { paths } = usePlace()
  const { sessionId, userId, runs, costUsd, createdAt, lastRunAt } = session
  return (
    <FactStrip
      facts={[
        { name: words.turns, value: wholeNumber(runs) },
        { name: words.cost, value: money(costUsd) },
        { name: words.started, value: <MomentText at={createdAt} /> },
        { name: words.lastTurn, value: <MomentText at={lastRunAt} /> },
        {
          name: words.user,
          value: userId ? (
            <TextLink href={withSearch(paths.sessions, { user: userId })}>{shortId(userId)}</TextLink>
          ) : (
            words.noUser
          ),
        },
        { name: words.id, value: <CopiedId id={sessionId} label={words.copyId} /> },
      ]}
    />
  )
}
