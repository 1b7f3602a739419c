import { defaultConfiguration, type ModelList } from '@troupe/agents'
import type { ProjectId } from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/storage'

/** The models that a configuration offers; see `unlistedModel`. */
export type OfferedModels = ModelList

/** The models of the default configuration of an owner in a project; undefined if it has none. */
export function defaultModelList(
  projectId: ProjectId | null,
  usable: readonly (OfferedModels & Pick<LlmConfigurationRecord, 'id' | 'projectId' | 'isDefault'>)[],
): OfferedModels | undefined {
  return defaultConfiguration(projectId, usable)
}
