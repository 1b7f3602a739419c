import type { SessionDetail } from '@troupe/builder-contract'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

const MOST = 100

/** What is remembered of the user of a conversation; asked for only when there is one. */
export function useUserMemories({ userId }: SessionDetail) {
  return useOperation(
    'listMemories',
    { query: { limit: MOST, user_id: userId } },
    { isEnabled: userId !== '' },
  )
}

/** What the agent or the team of a conversation remembers of its user. */
export function RememberedOfUser({ session }: { session: SessionDetail }) {
  const memories = useUserMemories(session)
  const own = (memories.data?.data ?? []).filter(
    ({ agentId, teamId }) => (session.kind === 'agent' ? agentId : teamId) === session.entity.id,
  )
  if (own.length === 0) return null
  return (
    <Section title={words.memories} detail={words.memoriesDetail}>
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
