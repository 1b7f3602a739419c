import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, freeText, organizationId } from '../columns/column-types.ts'
import { organizations } from '../tenants/organizations.ts'

/** The do-not-call list: numbers proposed after the callee rejected a call, and refused once a person confirms them. */
export const doNotCall = pgTable(
  'do_not_call',
  {
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    e164: text('e164').notNull(),
    status: text('status', { enum: ['proposed', 'confirmed'] }).notNull(),
    reason: freeText('reason').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.e164] })],
)
