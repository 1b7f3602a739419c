import type { IdText, KnowledgeBase, KnowledgeBaseId } from '@troupe/contract'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'

export interface KeepEmbeddingProps {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  /** The embedding with complete vectors. */
  embedding: NonNullable<KnowledgeBase['embedding']>
}

/** Cancels the change to another embedding. */
export function KeepEmbedding({ knowledgeBaseId, embedding }: KeepEmbeddingProps) {
  const refusal = useRefusal('build')
  const keep = useChange('updateKnowledgeBase', { refreshes: ['getKnowledgeBase', 'listKnowledgeBases'] })
  const { llm_config_id, model_id } = embedding
  const run = async () => {
    const body = { embedding: { llm_config_id, model_id } }
    if (await keep.run({ params: { knowledgeBaseId }, body })) showNotice({ title: words.kept(model_id) })
  }
  return (
    <>
      {' '}
      <RefusableButton size="small" refusal={refusal} isPending={keep.isPending} onPress={run}>
        {words.keep(model_id)}
      </RefusableButton>
      <FailurePanel title={words.keepFailed} failure={keep.failure} />
    </>
  )
}
