import type { OrganizationId } from '@troupe/contract'
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment } from '../columns/column-types.ts'

export const organizations = pgTable('organizations', {
  id: uuid('id').$type<OrganizationId>().primaryKey(),
  slug: text('slug').notNull().unique(),
  name: freeText('name').notNull(),
  rpm: integer('rpm').notNull(),
  concurrentRuns: integer('concurrent_runs').notNull(),
  /** Days for which the inputs and outputs of the nodes of ended workflow runs are kept. */
  traceDays: integer('trace_days').notNull().default(30),
  /** Days for which ended workflow runs are kept. */
  runDays: integer('run_days').notNull().default(90),
  /** Increases with every change. */
  version: integer('version').notNull().default(1),
  createdAt: createdAt(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})
