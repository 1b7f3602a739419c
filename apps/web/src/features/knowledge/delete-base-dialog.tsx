import type { KnowledgeBase } from '@troupe/contract'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'

/** Asks before a knowledge base and its documents are deleted, and says what would lose it. */
export function DeleteBaseDialog({ base, onClose }: { base: KnowledgeBase; onClose(): void }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { knowledgeBaseId, name, documents } = base
  const users = useResourceUsers('knowledge_base', [knowledgeBaseId])(knowledgeBaseId)
  const remove = useChange('deleteKnowledgeBase', { refreshes: ['listKnowledgeBases'] })
  const total = documents.ready + documents.queued + documents.failed
  const confirm = async () => {
    if (!(await remove.run({ params: { knowledgeBaseId } }))) return
    showNotice({ title: words.removed(name) })
    goTo(paths.knowledge, { replace: true })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle(name)}
      action={words.removeAction}
      isDanger
      isPending={remove.isPending}
      {...(total > 10 ? { typed: name } : {})}
      failed={words.removeFailed}
      failure={remove.failure}
      onConfirm={confirm}
    >
      <p>{users.length > 0 ? words.removeUsed : words.removeDetail(total)}</p>
      {users.length > 0 && <UserLinks users={users} none="" />}
    </ConfirmDialog>
  )
}
