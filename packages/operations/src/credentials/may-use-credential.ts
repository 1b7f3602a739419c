import type { ProjectId } from '@troupe/contract'

/** Whether an agent of a project may use a credential of another; null is the organization level, on both sides. */
export function mayUseCredential(agentProject: ProjectId | null, ofProject: ProjectId | null): boolean {
  return agentProject === null || ofProject === null || agentProject === ofProject
}
