import type { ProjectId } from '@troupe/contract'

/**
 * Whether an agent may speak for the numbers of a trunk: the agents of a project on its trunks, every agent on those of the
 * organization. A call belongs to the project of its agent, so the budget and the callers of a trunk's project are its own.
 */
export function maySpeakOn(
  trunk: { projectId: ProjectId | null },
  agent: { projectId: ProjectId | null },
): boolean {
  return trunk.projectId === null || agent.projectId === trunk.projectId
}
