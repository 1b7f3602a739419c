import { type BundleDocument, type BundleKnowledgeBase, KNOWLEDGE_LANGUAGES } from '@troupe/contract'
import { givenOf } from '@troupe/operations/knowledge/given-knowledge-base'
import type { WholeDocument, WholeKnowledgeBase } from './read-everything.ts'
import { projectOf, type Slugs } from './slugs.ts'

/** A base in the bundle format. Documents without `text`, `path` and `url` are kept when the export is applied again. */
export function describeKnowledgeBase(
  base: WholeKnowledgeBase & { slug: string },
  { projects, llms }: Record<'projects' | 'llms', Slugs>,
): BundleKnowledgeBase {
  const { slug, name, id, projectId, lang, chunkTokens, overlapTokens, stored } = base
  const { embedding } = givenOf(base)
  const model = embedding && { model_id: embedding.modelId }
  const llm = llms.get(embedding?.llmConfigId ?? null)
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, projects),
    lang: KNOWLEDGE_LANGUAGES.find((one) => one === lang) ?? 'simple',
    ...(model && {
      embedding: llm ? { llm_config: llm, ...model } : { llm_config_id: embedding.llmConfigId, ...model },
    }),
    chunk_tokens: chunkTokens,
    overlap_tokens: overlapTokens,
    documents: stored.map(describeDocument),
  }
}

function describeDocument({ name, url, metadata, text, path }: WholeDocument): BundleDocument {
  return {
    ...(name === url ? {} : { name }),
    ...(url === null ? {} : { url }),
    ...(text === null ? {} : { text }),
    ...(path === null ? {} : { path }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}
