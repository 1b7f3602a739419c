import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { credentials } from '../tables/configuration/credentials.ts'
import { workflowListeners } from '../tables/configuration/listeners.ts'
import { workflows } from '../tables/configuration/workflows.ts'
import { approvals } from '../tables/runs/approvals.ts'
import { reviews } from '../tables/runs/reviews.ts'
import { runs } from '../tables/runs/runs.ts'
import { phoneTrunks } from '../tables/voice/phone-trunks.ts'
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

const inListeners = (
  purpose: SealedColumn['purpose'],
  key: 'tokenSealed' | 'secretSealed',
): SealedColumn => ({
  purpose,
  table: workflowListeners,
  id: workflowListeners.id,
  organizationId: workflowListeners.organizationId,
  column: workflowListeners[key],
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
  {
    purpose: 'approval.link',
    table: approvals,
    id: approvals.id,
    organizationId: approvals.organizationId,
    column: approvals.tokenSealed,
    key: 'tokenSealed',
  },
  {
    purpose: 'credential.secret',
    table: credentials,
    id: credentials.id,
    organizationId: credentials.organizationId,
    column: credentials.sealedSecret,
    key: 'sealedSecret',
  },
  {
    purpose: 'run.tool_context',
    table: runs,
    id: runs.id,
    organizationId: runs.organizationId,
    column: runs.toolContextSealed,
    key: 'toolContextSealed',
  },
  {
    purpose: 'phone_trunk.password',
    table: phoneTrunks,
    id: phoneTrunks.id,
    organizationId: phoneTrunks.organizationId,
    column: phoneTrunks.authPasswordEnc,
    key: 'authPasswordEnc',
  },
  inListeners('listener.token', 'tokenSealed'),
  inListeners('listener.secret', 'secretSealed'),
]
