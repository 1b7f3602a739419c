import type { SessionDetail } from '@troupe/contract/builder'
import { LinkButton, TextLink } from '../../atoms/controls/text-link.tsx'
import { FactStrip } from '../../atoms/layout/fact-strip.tsx'
import { PageLayout, Section } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { withSearch } from '../../core/url/paths.ts'
import { useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { GoneThing } from '../../parts/gone/gone-thing.tsx'
import { SessionTurns } from './session-turns.tsx'
import { RememberedOfUser } from './user-memories.tsx'

/** One conversation across its runs: messages, summaries and memories, and the model's view. */
export function SessionPage() {
  const { paths } = usePlace()
  const id = usePathParam('sessionId')
  const session = useOperation('getRunSession', { params: { id } })
  useRefreshOn(['runs'], ['getRunSession'])
  const { data } = session
  const name = data?.entity.name ?? words.deleted
  return (
    <PageLayout
      title={data ? words.conversation(name) : words.title}
      crumbs={[{ label: words.title, href: paths.sessions }]}
      width="narrow"
      {...(data
        ? {
            lead: <KindTile kind={data.kind} label={words.kinds[data.kind]} />,
            actions: (
              <LinkButton
                href={withSearch(paths.runs, {
                  session: data.sessionId,
                  entity: data.entity.id,
                  range: 'all',
                })}
              >
                {words.allRuns}
              </LinkButton>
            ),
          }
        : {})}
    >
      {session.failure?.code === 'session_not_found' ? (
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
              <Section title={words.turns} detail={words.turnCount(shown.runs)}>
                <SessionTurns session={shown} />
              </Section>
              {shown.userId !== '' && <RememberedOfUser session={shown} />}
            </>
          )}
        </AskedPanel>
      )}
    </PageLayout>
  )
}

function SessionFacts({ session }: { session: SessionDetail }) {
  const { paths } = usePlace()
  const { kind, entity, sessionId, userId, runs, createdAt, lastRunAt } = session
  const entityPath = { agent: paths.agent, team: paths.team }[kind]
  return (
    <FactStrip
      facts={[
        {
          name: words.kinds[kind],
          value: <TextLink href={entityPath(entity.id)}>{entity.name ?? words.deleted}</TextLink>,
        },
        { name: words.id, value: <code translate="no">{sessionId}</code> },
        {
          name: words.user,
          value: userId ? (
            <TextLink href={withSearch(paths.sessions, { user: userId })}>{userId}</TextLink>
          ) : (
            words.noUser
          ),
        },
        { name: words.runs, value: wholeNumber(runs) },
        { name: words.started, value: <MomentText at={createdAt} /> },
        { name: words.last, value: <MomentText at={lastRunAt} /> },
      ]}
    />
  )
}
