import type { Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, type SkillId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { auditedSkill } from './audited-skill.ts'
import { findSkill } from './find-skill.ts'

/**
 * Deletes a skill with its versions, unless an agent uses it.
 *
 * @throws DomainError `skill_not_found`, `forbidden` or `in_use`
 */
export async function deleteSkill(
  { database }: { database: Pick<Database, 'transaction'> },
  scope: Scope,
  actor: Actor,
  skillId: IdText<SkillId>,
): Promise<void> {
  await database.transaction(async ({ read, write }) => {
    // A concurrent save of an agent holds the skill until its configuration is committed.
    const skill = await findSkill((owner, id) => write.skills.lock(owner, id), scope, skillId)
    const users = await read.skills.agentsUsing(skill)
    if (users.length > 0) {
      const names = users.map(({ name }) => `"${name}"`).join(', ')
      throw new DomainError(
        'in_use',
        `The skill is used by the ${users.length === 1 ? 'agent' : 'agents'} ${names}.`,
      )
    }
    const { organizationId, projectId, id } = skill
    await write.skills.delete(organizationId, id)
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'skill.deleted',
      entityKind: 'skill',
      entityId: id,
      before: auditedSkill(skill),
      after: null,
    })
  })
}
