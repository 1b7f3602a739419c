import type { KnowledgeBase } from '@troupe/contract'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { DeleteUnlessUsed } from '../../parts/used-by/delete-unless-used.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'

/**
 * Confirms the deletion of a knowledge base and its documents. Agents depend on it; other uses only refer to it.
 */
export function DeleteBaseDialog({ base, onClose }: { base: KnowledgeBase; onClose(): void }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { knowledgeBaseId, name, documents } = base
  const users = useResourceUsers('knowledge_base', [knowledgeBaseId])(knowledgeBaseId)
  const total = documents.ready + documents.queued + documents.failed
  return (
    <DeleteUnlessUsed
      operation="deleteKnowledgeBase"
      input={{ params: { knowledgeBaseId } }}
      refreshes={['listKnowledgeBases']}
      name={name}
      words={words}
      users={users}
      needsIt={({ kind }) => kind === 'agent'}
      isTyped={total > 10}
      onClose={onClose}
      onRemoved={() => goTo(paths.knowledge, { replace: true })}
    >
      <p>{words.removeDetail(total)}</p>
    </DeleteUnlessUsed>
  )
}
