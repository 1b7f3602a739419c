import { bigint, foreignKey, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { organizations } from '../organizations/table.ts'
import { projects } from '../projects/table.ts'
import { createdAt, moment, organizationId, projectId } from '../sql/column-types.ts'

/**
 * What an organization or a project may use per calendar month (UTC), and what is counted of it, so that a start costs
 * the same on the last day of the month as on the first:
 *
 * - `workflow_runs`: every accepted start adds one, under the organization's lock.
 * - Ledger metrics: the sum of the ledger rows from the beginning of the month of `counted_until` up to it; the rows
 *   behind it are added when somebody asks.
 *
 * A count of an earlier month counts for nothing.
 */
export const budgets = pgTable(
  'budgets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** null: the whole organization, its projects included. */
    projectId: projectId(),
    metric: text('metric', {
      enum: ['workflow_runs', 'llm_tokens', 'llm_cost_usd', 'voice_minutes'],
    }).notNull(),
    /** In millionths of the metric's unit, so that dollars are exact. */
    limitMicros: bigint('limit_micros', { mode: 'number' }).notNull(),
    period: text('period', { enum: ['month'] }).notNull(),
    countedMicros: bigint('counted_micros', { mode: 'number' }).notNull(),
    countedUntil: moment('counted_until').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('budgets_metric').on(t.organizationId, t.projectId, t.metric).nullsNotDistinct(),
    foreignKey({
      name: 'budgets_project_fk',
      columns: [t.organizationId, t.projectId],
      foreignColumns: [projects.organizationId, projects.id],
    }).onDelete('cascade'),
  ],
)
