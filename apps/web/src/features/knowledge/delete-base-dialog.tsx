import type { KnowledgeBase } from '@troupe/contract'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { StillUsedDialog } from '../../parts/used-by/still-used-dialog.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'

/** Asks before a knowledge base and its documents are deleted; one that an agent uses is not, and the dialog leads to what uses it. */
export function DeleteBaseDialog({ base, onClose }: { base: KnowledgeBase; onClose(): void }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { knowledgeBaseId, name, documents } = base
  const users = useResourceUsers('knowledge_base', [knowledgeBaseId])(knowledgeBaseId)
  if (users?.some(({ kind }) => kind === 'agent')) {
    return (
      <StillUsedDialog
        title={words.removeRefused(name)}
        detail={words.removeUsed}
        users={users}
        onClose={onClose}
      />
    )
  }
  const total = documents.ready + documents.queued + documents.failed
  return (
    <ConfirmChange
      operation="deleteKnowledgeBase"
      input={{ params: { knowledgeBaseId } }}
      refreshes={['listKnowledgeBases']}
      title={words.removeTitle(name)}
      action={words.removeAction}
      {...(total > 10 ? { typed: name } : {})}
      failed={words.removeFailed}
      done={words.removed(name)}
      onClose={onClose}
      onDone={() => goTo(paths.knowledge, { replace: true })}
    >
      <p>{words.removeDetail(total)}</p>
      {users && users.length > 0 && <p>{words.removeNamed}</p>}
      {users && users.length > 0 && <UserLinks users={users} none="" />}
    </ConfirmChange>
  )
}
