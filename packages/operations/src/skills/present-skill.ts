import type { Skill } from '@troupe/contract'
import type { SkillRecord } from '@troupe/storage'

/** A skill as callers see it; times in ISO 8601 UTC. */
export function presentSkill(record: SkillRecord): Skill {
  const { id, projectId, slug, description, version, allowedTools, files, createdAt, updatedAt } = record
  const shown = { projectId, slug, description, version, allowedTools, files }
  return {
    skillId: id,
    ...shown,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
