import type { Scope } from '@troupe/agents/ports'
import { type IdText, type NewId, type ProjectId, type Skill, SkillId } from '@troupe/contract'
import type { Actor, Database, Readers, SkillRecord } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { auditedSkill } from './audited-skill.ts'
import { readSkill, type SkillFile } from './files/read-skill.ts'
import { presentSkill } from './present-skill.ts'
import { invalidSkill } from './skill-errors.ts'
import { versionOf } from './skill-files.ts'

/** Dependencies of the operation. */
export interface UploadSkillParts {
  database: Pick<Database, 'transaction'>
  newId: NewId
}

/**
 * May refuse the stored version: a new one, whose predecessor is locked, or, with `isAdded` false, the newest version
 * with the same content.
 */
export type CheckSkillVersion = (stored: SkillRecord, isAdded: boolean, read: Readers) => Promise<void>

/**
 * Stores a skill, or the next version of the skill with this name. `added` is false if the newest version already has
 * the content. A project scope always uploads to its own project.
 *
 * @throws DomainError `validation_error` or `project_not_found`, or as the check
 */
export async function uploadSkill(
  { database, newId }: UploadSkillParts,
  scope: Scope,
  actor: Actor,
  {
    files,
    projectId: requested,
  }: { files: readonly SkillFile[]; projectId: IdText<ProjectId> | null | undefined },
  check?: CheckSkillVersion,
): Promise<{ skill: Skill; added: boolean }> {
  const read = readSkill(files)
  if (!read.ok) throw invalidSkill(read.problems)
  const { organizationId } = scope
  const projectId = requestedProject(scope, requested)
  const version = { id: newId(SkillId), organizationId, projectId, ...versionOf(read.skill) }
  return database.transaction(async ({ read: reader, write }) => {
    await requireProject(reader, organizationId, projectId)
    const { skill, added } = await write.skills.add(version)
    await check?.(skill, added, reader)
    if (added) {
      await write.audit.append({
        organizationId,
        projectId,
        actor,
        action: 'skill.uploaded',
        entityKind: 'skill',
        entityId: skill.id,
        before: null,
        after: auditedSkill(skill),
      })
    }
    return { skill: presentSkill(skill), added }
  })
}
