import { isChatModel, type ModelKind, type ProjectId } from '@troupe/contract'

/** The fields of an LLM configuration that determine the default. */
export interface DefaultCandidate {
  projectId: ProjectId | null
  isDefault: boolean
  models: readonly { modelId: string; kind?: ModelKind }[]
}

/**
 * The configuration for agents that name none: the project's marked default, otherwise the organization's, otherwise
 * the oldest with a chat model, otherwise the oldest. `usable` is connected, visible to the owner's project and oldest
 * first; undefined if it is empty.
 */
export function defaultConfiguration<T extends DefaultCandidate>(
  projectId: ProjectId | null,
  usable: readonly T[],
): T | undefined {
  const marked = usable.filter((configuration) => configuration.isDefault)
  return (
    (projectId && marked.find((configuration) => configuration.projectId === projectId)) ||
    marked.find((configuration) => configuration.projectId === null) ||
    usable.find(({ models }) => models.length === 0 || models.some(isChatModel)) ||
    usable[0]
  )
}
