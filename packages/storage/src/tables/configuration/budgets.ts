import { bigint, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

/**
 * The monthly limits (calendar month, UTC) of an organization or a project, with a running count, so that a
 * start costs the same on the last day of the month as on the first:
 *
 * - `workflow_runs`: every accepted start adds one, under the organization's lock.
 * - Ledger metrics: the sum of the ledger rows from the start of the month of `counted_until` up to it; later
 *   rows are added when the count is read.
 *
 * A count from an earlier month is treated as zero.
 */
export const budgets = pgTable(
  'budgets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** null: the organization including its projects. */
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
    ofSameOrganization('budgets_project_fk', t, t.projectId, projects).onDelete('cascade'),
  ],
)
