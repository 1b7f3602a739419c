import type { SkillId } from '@troupe/contract'
import { integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

/** An entry in the list of a skill's files. */
export interface StoredSkillFile {
  path: string
  sizeBytes: number
  isText: boolean
}

export const skills = pgTable(
  'skills',
  {
    id: uuid('id').$type<SkillId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug').notNull(),
    /** 0 until the transaction that creates the skill has stored its first version. */
    newestVersion: integer('newest_version').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    unique('skills_slug').on(t.organizationId, t.projectId, t.slug).nullsNotDistinct(),
    ofSameOrganization('skills_project_fk', t, t.projectId, projects).onDelete('cascade'),
  ],
)

/** The upload; a version never changes. */
export const skillVersions = pgTable(
  'skill_versions',
  {
    skillId: uuid('skill_id')
      .$type<SkillId>()
      .notNull()
      .references(() => skills.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    description: freeText('description').notNull(),
    allowedTools: freeText('allowed_tools').array(),
    files: document('files').$type<StoredSkillFile[]>().notNull(),
    /** By path. */
    texts: document('texts').$type<Record<string, string>>().notNull(),
    contentHash: text('content_hash').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: 'skill_versions_pk', columns: [t.skillId, t.version] })],
)
