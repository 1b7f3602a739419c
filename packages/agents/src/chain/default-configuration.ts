import type { ProjectId } from '@troupe/contract'

/** An LLM configuration, as far as choosing the default is concerned. */
export interface DefaultCandidate {
  projectId: ProjectId | null
  isDefault: boolean
}

/**
 * The configuration of what names none: the project's marked default, else the organization's, else the oldest.
 * `usable` is connected, visible to the owner's project and oldest first; undefined when it is empty.
 */
export function defaultConfiguration<T extends DefaultCandidate>(
  projectId: ProjectId | null,
  usable: readonly T[],
): T | undefined {
  const marked = usable.filter((configuration) => configuration.isDefault)
  return (
    (projectId && marked.find((configuration) => configuration.projectId === projectId)) ||
    marked.find((configuration) => configuration.projectId === null) ||
    usable[0]
  )
}
