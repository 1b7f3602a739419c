import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { webhookDeliveries } from '../tables/configuration/webhooks.ts'
import { workflowDeployments, workflows } from '../tables/configuration/workflows.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { organizations } from '../tables/tenants/organizations.ts'
import type { WebhookReader, WebhookSecrets } from './port.ts'

const secretColumns = {
  tokenHash: workflows.webhookTokenHash,
  tokenSealed: workflows.webhookTokenSealed,
  signingSecretSealed: workflows.signingSecretSealed,
  previousSecretSealed: workflows.previousSecretSealed,
  previousSecretUntil: workflows.previousSecretUntil,
}

type SecretRow = { [Key in keyof WebhookSecrets]: WebhookSecrets[Key] | null }

/** The first publish writes all three columns together. */
function toSecrets(row: SecretRow): WebhookSecrets | null {
  const { tokenHash, tokenSealed, signingSecretSealed } = row
  if (tokenHash === null || tokenSealed === null || signingSecretSealed === null) return null
  return { ...row, tokenHash, tokenSealed, signingSecretSealed }
}

const { dedupeKey: _, ...deliveryColumns } = getTableColumns(webhookDeliveries)
const { body: __, ...headColumns } = deliveryColumns

export function webhookReader(db: Drizzle): WebhookReader {
  return {
    async byToken(workflowId, tokenHash) {
      const [row] = await db
        .select({
          organizationId: workflows.organizationId,
          projectId: workflows.projectId,
          versionId: workflowDeployments.versionId,
          organizationRpm: organizations.rpm,
          secrets: secretColumns,
        })
        .from(workflows)
        .innerJoin(workflowDeployments, eq(workflowDeployments.id, workflows.activeDeploymentId))
        .innerJoin(organizations, eq(organizations.id, workflows.organizationId))
        .where(
          and(
            eq(workflows.webhookTokenHash, tokenHash),
            eq(workflows.id, workflowId),
            isNull(workflows.deletedAt),
          ),
        )
      const secrets = row && toSecrets(row.secrets)
      if (!row || !secrets) return null
      const { secrets: _, ...webhook } = row
      return { ...webhook, ...secrets, workflowId }
    },
    async ownerOf(tokenHash) {
      const [row] = await db
        .select({ id: workflows.id })
        .from(workflows)
        .where(eq(workflows.webhookTokenHash, tokenHash))
      return row?.id ?? null
    },
    async secrets(organizationId, workflowId) {
      const [row] = await db
        .select(secretColumns)
        .from(workflows)
        .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowId)))
      return row ? toSecrets(row) : null
    },
    async deliveries(organizationId, workflowId, { after, limit }) {
      const { id, receivedAt } = webhookDeliveries
      return db
        .select(headColumns)
        .from(webhookDeliveries)
        .where(
          and(
            eq(webhookDeliveries.organizationId, organizationId),
            eq(webhookDeliveries.workflowId, workflowId),
            after === null
              ? undefined
              : sql`(${receivedAt}, ${id}) < (
                  select before.received_at, before.id from ${webhookDeliveries} before
                  where before.organization_id = ${organizationId} and before.workflow_id = ${workflowId}
                    and before.id = ${after})`,
          ),
        )
        .orderBy(desc(receivedAt), desc(id))
        .limit(limit)
    },
    async delivery(organizationId, workflowId, id) {
      const [row] = await db
        .select(deliveryColumns)
        .from(webhookDeliveries)
        .where(
          and(
            eq(webhookDeliveries.organizationId, organizationId),
            eq(webhookDeliveries.workflowId, workflowId),
            eq(webhookDeliveries.id, id),
          ),
        )
      return row ?? null
    },
  }
}
