import type { Scope } from '@troupe/agents/ports'
import { parseId, SkillId } from '@troupe/contract'
import type { SkillRecord } from '@troupe/storage'
import { skillForbidden, skillNotFound } from './skill-errors.ts'

/** Reads a skill in any project of an organization. */
type ReadSkill = (organizationId: Scope['organizationId'], id: SkillId) => Promise<SkillRecord | null>

/**
 * The skill with the id in the path, if the scope may access it.
 *
 * @throws DomainError `skill_not_found`, or `forbidden` for a skill outside the project of a project scope
 */
export async function findSkill(read: ReadSkill, scope: Scope, id: string): Promise<SkillRecord> {
  const key = parseId(SkillId, id)
  const skill = key && (await read(scope.organizationId, key))
  if (!skill) throw skillNotFound()
  if (scope.projectId !== null && skill.projectId !== scope.projectId) throw skillForbidden()
  return skill
}
