import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId } from './column-types.ts'

export const organizations = pgTable('organizations', {
  id: uuid('id').primaryKey(),
  slug: text('slug').notNull().unique(),
  name: freeText('name').notNull(),
  rpm: integer('rpm').notNull(),
  concurrentRuns: integer('concurrent_runs').notNull(),
  /** Days for which the inputs and outputs of the nodes of ended workflow runs are kept. */
  traceDays: integer('trace_days').notNull().default(30),
  /** Days for which ended workflow runs are kept. */
  runDays: integer('run_days').notNull().default(90),
  createdAt: createdAt(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

export const projects = pgTable(
  'projects',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    name: freeText('name').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('projects_slug').on(t.organizationId, t.slug),
    // Lets other tables refer to a project together with its organization, so that the two cannot disagree.
    unique('projects_organization_id_id').on(t.organizationId, t.id),
  ],
)
