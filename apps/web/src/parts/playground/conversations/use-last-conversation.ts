import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { authorName } from '../../../core/labels/author-name.ts'
import { playgroundWords as words } from '../../../core/messages/en/parts/playground.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSignedIn } from '../../../infrastructure/sign-in/session.ts'

/** A conversation of the playground that a prompt can continue. */
export interface LastConversation {
  sessionId: string
  /** The user whose memories are used; null: none. */
  userId: string | null
  /** Its user and time. */
  whose: string
}

/** The newest playground conversation with an agent or a team, of any user; null: none. */
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
