import type { SessionDetail } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const MOST = 100

/**
 * The memories of a conversation's user, newest first; requested only if there is a user. `isCut`: there may be more. The server
 * lists memories by agent; those of teams are filtered from the complete list.
 */
export function useUserMemories({ userId, kind, entity }: SessionDetail) {
  const { data } = useOperation(
    'listMemories',
    { query: { limit: MOST, user_id: userId, ...(kind === 'agent' ? { agent_id: entity.id } : {}) } },
    { isEnabled: userId !== '' },
  )
  const own = (data?.data ?? []).filter(
    ({ agentId, teamId }) => (kind === 'agent' ? agentId : teamId) === entity.id,
  )
  return { own, isCut: (data?.total ?? 0) > MOST }
}

/** The memories of a conversation's user. */
export function RememberedOfUser({ session }: { session: SessionDetail }) {
  const { paths } = usePlace()
  const { own, isCut } = useUserMemories(session)
  if (own.length === 0 && !isCut) return null
  return (
    <Section
      title={words.memories}
      detail={words.memoriesDetail}
      {...(isCut
        ? {
            actions: <TextLink href={paths.memories({ user: session.userId })}>{words.allMemories}</TextLink>,
          }
        : {})}
    >
      <Card flush>
        <RowList
          label={words.memories}
          rows={own.map(({ memoryId, text, updatedAt }) => ({
            id: memoryId,
            title: text,
            end: <MomentText at={updatedAt} />,
          }))}
        />
      </Card>
    </Section>
  )
}
