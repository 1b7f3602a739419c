import type { LlmConfigurationRecord } from '@troupe/storage'
import type { Planner } from '../resolve/planner.ts'
import type { LlmConfigurationStep } from './plan-llm-configurations.ts'

/** At most one configuration of each project, and one of the organization level, is the default. */
export function checkDefaults(
  planner: Planner,
  steps: readonly LlmConfigurationStep[],
  stored: readonly LlmConfigurationRecord[],
): void {
  const planned = new Set(steps.map(({ after }) => after.id))
  const bySite = new Map<string | null, string>()
  for (const { id, projectId, isDefault, slug } of stored) {
    if (isDefault && !planned.has(id)) bySite.set(projectId, slug)
  }
  for (const { path, after } of steps) {
    if (!after.isDefault) continue
    const other = bySite.get(after.projectId)
    if (other === undefined) bySite.set(after.projectId, after.slug)
    else {
      const site = after.projectId === null ? 'the organization' : 'its project'
      planner.problems.add(
        `${path}.default`,
        `must be true for only one configuration of ${site}, which is ${other} now`,
      )
    }
  }
}
