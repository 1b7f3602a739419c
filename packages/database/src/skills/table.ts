import type { SkillId } from '@troupe/contract'
import { foreignKey, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, organizationId, projectId } from '../drizzle/column-types.ts'
import { organizations } from '../organizations/table.ts'
import { projects } from '../projects/table.ts'
import type { SkillRecord } from './port.ts'

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
    foreignKey({
      name: 'skills_project_fk',
      columns: [t.organizationId, t.projectId],
      foreignColumns: [projects.organizationId, projects.id],
    }).onDelete('cascade'),
  ],
)

/** What was uploaded; a version never changes. */
export const skillVersions = pgTable(
  'skill_versions',
  {
    skillId: uuid('skill_id')
      .$type<SkillId>()
      .notNull()
      .references(() => skills.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    description: freeText('description').notNull(),
    allowedTools: text('allowed_tools').array(),
    files: document('files').$type<SkillRecord['files']>().notNull(),
    /** By path. */
    texts: document('texts').$type<Record<string, string>>().notNull(),
    contentHash: text('content_hash').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: 'skill_versions_pk', columns: [t.skillId, t.version] })],
)
