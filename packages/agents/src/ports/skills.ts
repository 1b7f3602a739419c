import type { AgentConfig, OrganizationId, ProjectId, SkillId } from '@troupe/contract'

/** A version of a skill as a run uses it: JSON, so that a resumed job keeps it. */
export interface RunSkill {
  skillId: SkillId
  name: string
  version: number
  description: string
  /** The remaining tools after it is loaded; null: all. */
  allowedTools: readonly string[] | null
  /** Paths of the files that a model can read. */
  files: readonly string[]
}

/** Port: the skills that agents load. */
export interface SkillLibrary {
  /**
   * The skills in the configuration of an agent of this project, in its order: the pinned version, else the newest.
   * null for one that no longer exists.
   */
  find(
    owner: { organizationId: OrganizationId; projectId: ProjectId | null },
    named: AgentConfig['skills'],
  ): Promise<(RunSkill | null)[]>
  /** The text of a file; null if the skill or its version was deleted. */
  read(
    organizationId: OrganizationId,
    skill: Pick<RunSkill, 'skillId' | 'version'>,
    path: string,
  ): Promise<string | null>
}
