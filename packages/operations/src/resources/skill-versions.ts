import { DomainError, type IdText, invalidField, type SkillId } from '@troupe/contract'
import type { ShownSkillVersion } from '@troupe/contract/builder'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { ListPage } from '../handlers/list-page.ts'
import { findSkill } from '../skills/find-skill.ts'

type Read = Pick<Readers, 'skills' | 'builder'>

/** One page of the versions of a skill, newest first. @throws DomainError `skill_not_found` */
export async function listSkillVersions(
  read: Read,
  caller: BuilderCaller,
  skillId: IdText<SkillId>,
  { page = 1, limit = 20 }: { page?: number | undefined; limit?: number | undefined },
): Promise<ListPage<ShownSkillVersion>> {
  const skill = await findSkill(read.skills.byId, caller, skillId)
  const rows = await read.builder.skillVersions.page(caller.organizationId, skill.id, { page, limit })
  const data = rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
  // Versions are numbered without gaps, so the newest number is their count.
  return { data, total: skill.version, page, limit }
}

/**
 * The text of a file; null if its content is not kept.
 *
 * @throws DomainError `skill_not_found`, `version_not_found`, or `validation_error` for a path that the version lacks
 */
export async function getSkillFile(
  read: Read,
  caller: BuilderCaller,
  skillId: IdText<SkillId>,
  { path, version }: { path: string; version?: number | undefined },
): Promise<{ path: string; version: number; text: string | null }> {
  const skill = await findSkill(read.skills.byId, caller, skillId)
  const wanted = { path, version: version ?? null }
  const found = await read.builder.skillVersions.file(caller.organizationId, skill.id, wanted)
  if (!found) throw new DomainError('version_not_found', 'Version not found for this skill.')
  if (!found.isFile) {
    throw invalidField('path', 'is not a file of this version')
  }
  return { path, version: found.version, text: found.text }
}
