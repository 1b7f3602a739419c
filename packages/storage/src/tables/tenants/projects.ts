import type { ProjectId } from '@troupe/contract'
import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId } from '../columns/column-types.ts'
import { organizations } from './organizations.ts'

export const projects = pgTable(
  'projects',
  {
    id: uuid('id').$type<ProjectId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    name: freeText('name').notNull(),
    /** Increases with every change. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('projects_slug').on(t.organizationId, t.slug),
    // Lets other tables reference a project together with its organization, so that the two always match.
    unique('projects_organization_id_id').on(t.organizationId, t.id),
  ],
)
