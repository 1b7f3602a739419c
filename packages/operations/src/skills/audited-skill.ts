import type { SkillRecord } from '@troupe/storage'

/** A skill as recorded in the audit log. */
export function auditedSkill(skill: SkillRecord): Record<string, unknown> {
  const { slug, version, description, allowedTools, files, contentHash } = skill
  return { slug, version, description, allowedTools, files: files.map(({ path }) => path), contentHash }
}
