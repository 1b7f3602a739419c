import type { Scope } from '@troupe/agents/ports'
import type { IdText, OPERATIONS, QueryOf, ResultOf, Skill, SkillId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { findSkill } from './find-skill.ts'
import { presentSkill } from './present-skill.ts'

type ListSkills = (typeof OPERATIONS)['listSkills']
type Read = Pick<Readers, 'skills'>

/** One page of skills, newest first. A project scope sees only its own project's; `q` is part of the name. */
export async function listSkills(
  { skills }: Read,
  scope: Scope,
  { page = 1, limit = 20, q }: QueryOf<ListSkills> & { q?: string | undefined },
): Promise<ResultOf<ListSkills>> {
  const { rows, total } = await skills.page(scope, { page, limit, q })
  return { data: rows.map(presentSkill), total, page, limit }
}

/** @throws DomainError `skill_not_found` or `forbidden` */
export async function getSkill({ skills }: Read, scope: Scope, skillId: IdText<SkillId>): Promise<Skill> {
  return presentSkill(await findSkill((owner, id) => skills.byId(owner, id), scope, skillId))
}
