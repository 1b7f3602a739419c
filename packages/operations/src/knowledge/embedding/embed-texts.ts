import {
  type AgentCatalog,
  ChatModelError,
  type EmbeddingModels,
  type ModelAttempt,
  type UsableLlmConfiguration,
} from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'
import { unitVector } from '@troupe/knowledge'
import type { BudgetReader, KnowledgeBaseRecord } from '@troupe/storage'

/** Dependencies of embedding. */
export interface EmbedParts {
  catalog: Pick<AgentCatalog, 'llmConfigurations'>
  embeddings: EmbeddingModels
  database: { read: { budgets: Pick<BudgetReader, 'usedUp'> } }
}

/** The model of one call. */
export interface EmbedCall {
  signal: AbortSignal
  onAttempt(attempt: ModelAttempt, configuration: UsableLlmConfiguration): void
}

/**
 * The vectors of texts by the embedding model of a base; the base must have one.
 *
 * @throws DomainError `budget_exceeded` if a budget of the organization or the project is used up; ChatModelError, or
 * the reason of the signal
 */
export async function embedTexts(
  { catalog, embeddings, database }: EmbedParts,
  base: Pick<KnowledgeBaseRecord, 'organizationId' | 'projectId' | 'embedding'>,
  texts: readonly string[],
  { signal, onAttempt }: EmbedCall,
): Promise<number[][]> {
  const { organizationId, embedding } = base
  const refusal = await database.read.budgets.usedUp(base)
  if (refusal !== null) throw new DomainError('budget_exceeded', refusal)
  const configurations = await catalog.llmConfigurations(organizationId)
  const configuration = configurations.find(({ id }) => id === embedding?.llmConfigId)
  if (!configuration || !embedding) {
    throw new ChatModelError(
      'exhausted',
      'The LLM configuration of its embedding model is not connected.',
      '',
    )
  }
  const { connection } = configuration
  const vectors = await embeddings.embed({
    connection,
    modelId: embedding.modelId,
    texts,
    signal,
    onAttempt: (attempt) => onAttempt(attempt, configuration),
  })
  return vectors.map((vector) => {
    const unit = unitVector(vector)
    if (!unit)
      throw new ChatModelError('fatal', 'The embedding model returned a vector without a direction.', '')
    return unit
  })
}
