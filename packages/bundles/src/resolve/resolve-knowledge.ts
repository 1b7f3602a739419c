import { isJsonObject, KnowledgeBaseId, type NewId, type ProjectId } from '@troupe/contract'
import type { KnowledgeBaseRecord } from '@troupe/storage'
import type { NameLookup } from './name-lookup.ts'

/** Finds the knowledge bases that agents may refer to. */
export type KnowledgeLookup = NameLookup<Pick<KnowledgeBaseRecord, 'id' | 'projectId'>>

/** Resolves the references of one agent. `report` takes paths below the agent. */
export interface KnowledgeResolution {
  lookup: KnowledgeLookup
  /** null: an organization-level agent, which may use any base. */
  projectId: ProjectId | null
  report: (path: string, message: string) => void
  newId: NewId
}

/** The configuration with `knowledge.bases` (slugs or ids) replaced by `base_ids`. */
export function resolveKnowledge(
  config: Record<string, unknown>,
  resolution: KnowledgeResolution,
): Record<string, unknown> {
  if (!isJsonObject(config.knowledge)) return config
  const { bases, ...rest } = config.knowledge
  if (bases !== undefined && rest.base_ids !== undefined) {
    resolution.report('config.knowledge.bases', 'must not be given together with base_ids')
  }
  const key = bases === undefined ? 'base_ids' : 'bases'
  const references = bases ?? rest.base_ids
  if (references === undefined) return config
  if (!Array.isArray(references)) {
    resolution.report(`config.knowledge.${key}`, 'must be a list of slugs or ids')
    return { ...config, knowledge: { ...rest, base_ids: [] } }
  }
  const ids = references.map((one: unknown, at) => idOf(one, `config.knowledge.${key}.${at}`, resolution))
  return { ...config, knowledge: { ...rest, base_ids: ids } }
}

/** The id; a placeholder when the reference is invalid, which is reported. */
function idOf(reference: unknown, path: string, resolution: KnowledgeResolution): string {
  const { lookup, projectId, report, newId } = resolution
  const target = typeof reference === 'string' ? lookup(reference) : undefined
  if (target === undefined) report(path, `is not a knowledge base of this organization: ${reference}`)
  if (!target) return newId(KnowledgeBaseId)
  if (projectId !== null && target.projectId !== null && target.projectId !== projectId) {
    report(path, `belongs to another project than the agent: ${reference}`)
  }
  return target.id
}
