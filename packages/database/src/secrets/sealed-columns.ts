import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { reviews } from '../reviews/table.ts'
import { workflows } from '../workflows/table.ts'
import type { SealedSecret } from './port.ts'

interface SealedColumn {
  purpose: SealedSecret['purpose']
  table: PgTable
  id: PgColumn
  organizationId: PgColumn
  column: PgColumn
  /** The name of `column` in the table's Drizzle definition. */
  key: string
}

const inWorkflows = (
  purpose: SealedColumn['purpose'],
  key: keyof typeof workflows.$inferSelect,
): SealedColumn => ({
  purpose,
  table: workflows,
  id: workflows.id,
  organizationId: workflows.organizationId,
  column: workflows[key],
  key,
})

/** Every column that holds an envelope. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  inWorkflows('workflow.webhook_token', 'webhookTokenSealed'),
  inWorkflows('workflow.signing_secret', 'signingSecretSealed'),
  inWorkflows('workflow.signing_secret', 'previousSecretSealed'),
  inWorkflows('workflow.form_token', 'formTokenSealed'),
  {
    purpose: 'review.link',
    table: reviews,
    id: reviews.id,
    organizationId: reviews.organizationId,
    column: reviews.tokenSealed,
    key: 'tokenSealed',
  },
]
