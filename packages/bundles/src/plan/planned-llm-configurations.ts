import type { ProjectId } from '@troupe/contract'
import { mayUse } from '@troupe/operations/workflows/look-up-resources'
import type { LlmConfigurationRecord, WrittenLlmConfiguration } from '@troupe/storage'
import type { LlmConfigurationStep } from './plan-llm-configurations.ts'

/** Finds the connected LLM configurations that an owner in a project may use, oldest first. */
export type UsableLlms = (projectId: ProjectId | null) => WrittenLlmConfiguration[]

/** The LLM configurations after the bundle is applied. */
export function usableAfterwards(
  steps: readonly LlmConfigurationStep[],
  stored: readonly LlmConfigurationRecord[],
): UsableLlms {
  const planned = new Set(steps.map(({ after }) => after.id))
  // Stored configurations are oldest first; new ones follow them.
  const all = [...stored.filter(({ id }) => !planned.has(id)), ...steps.map(({ after }) => after)]
  return (projectId) => all.filter((one) => one.status === 'connected' && mayUse(projectId, one.projectId))
}
