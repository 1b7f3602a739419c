import type { Scope } from '@troupe/agents/ports'
import type { AgentId, OrganizationId, ProjectId, SkillId } from '@troupe/contract'
import type { StoredSkillFile } from '../tables/configuration/skills.ts'
import type { NamedPage } from '../tables/drizzle/page.ts'

/** A skill in one of its versions, without the texts of its files. */
export interface SkillRecord {
  id: SkillId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Its name in every version. */
  slug: string
  version: number
  /** The number of the newest version. */
  newestVersion: number
  description: string
  /** null: loading it does not restrict tools. */
  allowedTools: string[] | null
  files: StoredSkillFile[]
  /** SHA-256 over paths and contents, hex. */
  contentHash: string
  /** When the skill was created. */
  createdAt: Date
  /** When this version was stored. */
  updatedAt: Date
}

/** A version to store; `texts` are by path. */
export interface NewSkillVersion
  extends Omit<SkillRecord, 'version' | 'newestVersion' | 'createdAt' | 'updatedAt'> {
  texts: Readonly<Record<string, string>>
}

/** Identifies a version. */
export type SkillVersion = Pick<SkillRecord, 'organizationId' | 'id' | 'version'>

/** Skills by id or by slug. */
export interface SkillNames {
  ids: readonly SkillId[]
  slugs: readonly string[]
}

export interface SkillReader {
  /** The newest version; in any project of the organization. */
  byId(organizationId: OrganizationId, id: SkillId): Promise<SkillRecord | null>
  /** Newest versions, the newest skill first; `total` is exact. A project scope sees only its own. */
  page(scope: Scope, page: NamedPage): Promise<{ rows: SkillRecord[]; total: number }>
  /** The newest versions of the skills with these ids or slugs in any project, and their versions with these numbers. */
  named(
    organizationId: OrganizationId,
    names: SkillNames,
    versions: readonly number[],
  ): Promise<SkillRecord[]>
  /** The texts of a version by path; null when there is no such version. */
  texts(version: SkillVersion): Promise<Record<string, string> | null>
  /** The agents whose configuration names the skill, oldest first, at most ten. */
  agentsUsing(
    skill: Pick<SkillRecord, 'organizationId' | 'projectId' | 'id' | 'slug'>,
  ): Promise<{ id: AgentId; name: string }[]>
}

export interface SkillWriter {
  /** Locks the skills until the transaction ends, so that none is deleted while an agent that names it is saved. */
  hold(organizationId: OrganizationId, names: SkillNames): Promise<void>
  /** The newest version, locked until the transaction ends. */
  lock(organizationId: OrganizationId, id: SkillId): Promise<SkillRecord | null>
  /**
   * Stores the next version of the skill with this slug in this project, creating the skill if needed. `added` is false
   * if its newest version has the same content.
   */
  add(version: NewSkillVersion): Promise<{ skill: SkillRecord; added: boolean }>
  /** Deletes the skill with its versions. */
  delete(organizationId: OrganizationId, id: SkillId): Promise<void>
}
