import type { OrganizationId } from '@troupe/contract'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { reviews } from '../schema/reviews.ts'
import { workflows } from '../schema/workflows.ts'
import type { Drizzle } from '../sql/drizzle.ts'

/** A secret as it is stored, with what its envelope is bound to. */
export interface SealedSecret {
  purpose: 'workflow.webhook_token' | 'workflow.signing_secret' | 'workflow.form_token' | 'review.link'
  /** Of the workflow or the review. */
  id: string
  envelope: string
}

export interface SealedSecretReader {
  /** Every sealed secret of an organization but the credentials of its LLM configurations. */
  list(organizationId: OrganizationId): Promise<SealedSecret[]>
}

export interface SealedSecretWriter {
  /** Puts another envelope in place of the one that was read; nothing when that is not there any more. */
  replace(organizationId: OrganizationId, secret: SealedSecret, envelope: string): Promise<void>
}

interface Place {
  purpose: SealedSecret['purpose']
  table: PgTable
  id: PgColumn
  organizationId: PgColumn
  column: PgColumn
  /** Of the column, as the table names it. */
  key: string
}

const inWorkflows = (purpose: Place['purpose'], key: keyof typeof workflows.$inferSelect): Place => ({
  purpose,
  table: workflows,
  id: workflows.id,
  organizationId: workflows.organizationId,
  column: workflows[key],
  key,
})

/** Every column that holds an envelope. */
const PLACES: readonly Place[] = [
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

export function sealedSecretReader(db: Drizzle): SealedSecretReader {
  return {
    async list(organizationId) {
      const found: SealedSecret[] = []
      for (const { purpose, table, id, column, organizationId: owner } of PLACES) {
        const rows = await db
          .select({ id, envelope: column })
          .from(table)
          .where(and(eq(owner, organizationId), isNotNull(column)))
        found.push(...rows.map((row) => ({ purpose, id: String(row.id), envelope: String(row.envelope) })))
      }
      return found
    },
  }
}

export function sealedSecretWriter({ db }: { db: Drizzle }): SealedSecretWriter {
  return {
    async replace(organizationId, { purpose, id, envelope: read }, envelope) {
      for (const place of PLACES.filter((one) => one.purpose === purpose)) {
        await db
          .update(place.table)
          .set({ [place.key]: envelope })
          .where(and(eq(place.organizationId, organizationId), eq(place.id, id), eq(place.column, read)))
      }
    },
  }
}
