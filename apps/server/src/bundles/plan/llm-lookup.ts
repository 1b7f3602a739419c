import type { LlmConfigId, ProjectId } from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/database'
import type { OrganizationItem } from '../read-bundle.ts'
import type { LlmConfigurationStep } from './plan-llm-configurations.ts'

/** What an agent may refer to. */
export interface LlmTarget {
  id: LlmConfigId
  projectId: ProjectId | null
}

/** Finds LLM configurations by slug or id: undefined when there is none, null when it is there but has failures. */
export type LlmLookup = (reference: string) => LlmTarget | null | undefined

/** Looks in the plan first, then in what is stored and not in the bundle. */
export function llmLookup(
  organization: OrganizationItem,
  steps: readonly LlmConfigurationStep[],
  stored: readonly LlmConfigurationRecord[],
): LlmLookup {
  const planned = new Set(steps.map(({ after }) => after.id))
  const rows = [...stored.filter(({ id }) => !planned.has(id)), ...steps.map(({ after }) => after)]
  const bySlug = new Map(rows.map((row) => [row.slug, row]))
  const byId = new Map<string, LlmTarget>(rows.map((row) => [row.id, row]))
  const declared = new Set(
    organization.llmConfigurations.flatMap(({ value }) => (value.id ? [value.slug, value.id] : [value.slug])),
  )
  return (reference) => {
    const found = bySlug.get(reference) ?? byId.get(reference.toLowerCase())
    if (found) return { id: found.id, projectId: found.projectId }
    return declared.has(reference) || organization.brokenSlugs.has(reference) ? null : undefined
  }
}
