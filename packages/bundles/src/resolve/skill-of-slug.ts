import type { ProjectId } from '@troupe/contract'

/** The skill with a slug for an agent of a project: that of the project, else that of the organization. */
export function skillOfSlug<Skill extends { slug: string; projectId: ProjectId | null }>(
  skills: readonly Skill[],
  slug: unknown,
  agentProject: ProjectId | null,
): Skill | undefined {
  const named = skills.filter((skill) => skill.slug === slug)
  return (
    named.find(({ projectId }) => projectId === agentProject) ??
    named.find(({ projectId }) => projectId === null)
  )
}
