import { isDeepStrictEqual } from 'node:util'
import {
  type BundleKnowledgeBase,
  checkedId,
  KnowledgeBaseId,
  LlmConfigId,
  type OrganizationId,
} from '@troupe/contract'
import {
  givenOf,
  KNOWLEDGE_BASE_DEFAULTS,
  overlapProblem,
} from '@troupe/operations/knowledge/given-knowledge-base'
import type { EmbeddingModel, GivenKnowledgeBase, KnowledgeBaseRecord } from '@troupe/storage'
import { type DocumentStep, planDocuments } from '../documents/plan-documents.ts'
import type { Item } from '../read/bundle-items.ts'
import type { LlmLookup } from '../resolve/lookups.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import { resolveModel } from '../resolve/resolve-llm-references.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A step with its path in the bundle and the steps of its documents. */
export interface KnowledgeBaseStep extends Step<GivenKnowledgeBase> {
  path: string
  documents: DocumentStep[]
}

export async function planKnowledgeBases(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleKnowledgeBase>[],
  stored: readonly KnowledgeBaseRecord[],
  lookups: { projectOf: ProjectLookup; llm: LlmLookup },
): Promise<KnowledgeBaseStep[]> {
  const placed = await place(planner, KnowledgeBaseId, items, stored, BY_SLUG)
  const steps: KnowledgeBaseStep[] = []
  for (const { item, stored: row, id } of placed) {
    const { value, path } = item
    const report = (field: string, message: string) => planner.problems.add(`${path}.${field}`, message)
    const documents = await planDocuments(planner, { organizationId, baseId: id }, item, row !== null)
    const projectId = lookups.projectOf(item)
    if (projectId === undefined) continue
    const after: GivenKnowledgeBase = {
      id: id,
      organizationId,
      projectId,
      slug: value.slug,
      name: value.name,
      lang: value.lang ?? KNOWLEDGE_BASE_DEFAULTS.lang,
      embedding: embeddingOf(value, (model) =>
        resolveModel(model, 'embedding', {
          lookup: lookups.llm,
          projectId,
          owner: 'knowledge base',
          report,
        }),
      ),
      chunkTokens: value.chunk_tokens ?? KNOWLEDGE_BASE_DEFAULTS.chunkTokens,
      overlapTokens: value.overlap_tokens ?? KNOWLEDGE_BASE_DEFAULTS.overlapTokens,
    }
    const overlap = overlapProblem(after)
    if (overlap !== null) report('overlap_tokens', overlap)
    if (value.embedding != null && after.embedding === null && value.embedding.llm_config === undefined) {
      if (value.embedding.llm_config_id === undefined) report('embedding.llm_config', 'is required')
    }
    if (row !== null && row.projectId !== projectId) {
      report('project', 'must not change: agents may use the knowledge base')
    }
    const before = row && givenOf(row)
    steps.push({ path, before, after, changed: before === null || differs(before, after), documents })
  }
  return steps
}

function embeddingOf(
  { embedding }: BundleKnowledgeBase,
  resolve: (model: Record<string, unknown>) => Record<string, unknown>,
): EmbeddingModel | null {
  if (!embedding) return null
  const { llm_config_id: id } = resolve(embedding)
  return typeof id === 'string'
    ? { llmConfigId: checkedId(LlmConfigId, id), modelId: embedding.model_id }
    : null
}

/** A base created through the API has no slug; assigning one does not count as a change, so applying an export changes nothing. */
function differs(before: GivenKnowledgeBase, after: GivenKnowledgeBase): boolean {
  return !isDeepStrictEqual({ ...before, slug: before.slug ?? after.slug }, after)
}
