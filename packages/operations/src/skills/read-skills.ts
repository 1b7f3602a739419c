import type { Scope } from '@troupe/agents/ports'
import { DomainError, type OPERATIONS, type QueryOf, type ResultOf, type Skill } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { findSkill } from './find-skill.ts'
import { presentSkill } from './present-skill.ts'

type ListSkills = (typeof OPERATIONS)['listSkills']
type Read = Pick<Readers, 'skills'>

/** One page of skills, newest first. A project scope sees its own project's only; `q` is part of the name. */
export async function listSkills(
  { skills }: Read,
  scope: Scope,
  { page = 1, limit = 20, q }: QueryOf<ListSkills> & { q?: string | undefined },
): Promise<ResultOf<ListSkills>> {
  const { rows, total } = await skills.page(scope, { page, limit, q })
  return { data: rows.map(presentSkill), total, page, limit }
}

/** @throws DomainError `skill_not_found` or `forbidden` */
export async function getSkill({ skills }: Read, scope: Scope, skillId: string): Promise<Skill> {
  return presentSkill(await findSkill((owner, id) => skills.byId(owner, id), scope, skillId))
}

/** A version without its texts. */
interface ListedVersion {
  version: number
  description: string
  allowedTools: string[] | null
  files: Skill['files']
  createdAt: string
}

/** One page of the versions of a skill, newest first. @throws DomainError `skill_not_found` or `forbidden` */
export async function listSkillVersions(
  { skills }: Read,
  scope: Scope,
  skillId: string,
  { page = 1, limit = 20 }: { page?: number | undefined; limit?: number | undefined },
): Promise<{ data: ListedVersion[]; total: number; page: number; limit: number }> {
  const skill = await findSkill((owner, id) => skills.byId(owner, id), scope, skillId)
  const { rows, total } = await skills.versionPage(skill, { page, limit })
  const data = rows.map(({ version, description, allowedTools, files, updatedAt }) => {
    return { version, description, allowedTools, files, createdAt: updatedAt.toISOString() }
  })
  return { data, total, page, limit }
}

/**
 * The text of a file; null for one whose content is not kept.
 *
 * @throws DomainError `skill_not_found`, `forbidden`, `version_not_found`, or `validation_error` for a path that the
 *   version does not have
 */
export async function getSkillFile(
  { skills }: Read,
  scope: Scope,
  skillId: string,
  { path, version: wanted }: { path: string; version?: number | undefined },
): Promise<{ path: string; version: number; text: string | null }> {
  const skill = await findSkill((owner, id) => skills.byId(owner, id), scope, skillId)
  const version = wanted ?? skill.version
  const found = await skills.version({ ...skill, version })
  if (!found) throw new DomainError('version_not_found', 'The skill has no such version.')
  if (!found.files.some((file) => file.path === path)) {
    throw new DomainError('validation_error', 'The request is not valid.', {
      errors: [{ path: 'path', message: 'is no file of this version' }],
    })
  }
  const texts = await skills.texts({ ...skill, version })
  return { path, version, text: texts && Object.hasOwn(texts, path) ? (texts[path] ?? null) : null }
}
