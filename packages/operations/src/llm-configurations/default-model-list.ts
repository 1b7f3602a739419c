import { defaultConfiguration, type ModelList } from '@troupe/agents'
import type { ProjectId } from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/storage'

/** Which models a configuration offers; see `unlistedModel`. */
export type OfferedModels = ModelList

/** The models of the default configuration of an owner in a project; undefined when it has none. */
export function defaultModelList(
  projectId: ProjectId | null,
  usable: readonly (OfferedModels & Pick<LlmConfigurationRecord, 'id' | 'projectId' | 'isDefault'>)[],
): OfferedModels | undefined {
  return defaultConfiguration(projectId, usable)
}
