import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { authorName } from '../../../core/labels/author-name.ts'
import { playgroundWords as words } from '../../../core/messages/en/parts/playground.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSignedIn } from '../../../infrastructure/sign-in/session.ts'

/** A conversation of the playground that a prompt can go on with. */
export interface LastConversation {
  sessionId: string
  /** Whose facts the agent remembers; null: nobody's. */
  userId: string | null
  /** Who had it, and when. */
  whose: string
}

/** The newest conversation with an agent or a team in the playground, whoever had it; null: there is none. */
export function useLastConversation(
  kind: 'agent' | 'team',
  entityId: string,
  isEnabled = true,
): { last: LastConversation | null; isLoading: boolean } {
  const { userId: me } = useSignedIn().person
  const { data, isLoading } = useOperation(
    'listRuns',
    { query: { kind, entityId, source: 'playground', limit: 1 } },
    { isEnabled },
  )
  const run = data?.data[0]
  if (!run?.sessionId) return { last: null, isLoading }
  const { sessionId, userId, startedBy, createdAt } = run
  const whose = words.lastWith(authorName(startedBy, me), relativeTime(createdAt, serverNow()))
  return { last: { sessionId, userId, whose }, isLoading }
}
