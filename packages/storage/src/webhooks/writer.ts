import { and, eq, lt } from 'drizzle-orm'
import { webhookDeliveries } from '../tables/configuration/webhooks.ts'
import { workflows } from '../tables/configuration/workflows.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { WebhookWriter } from './port.ts'

export function webhookWriter({ db, signal }: WriteContext): WebhookWriter {
  return {
    async putSecrets(organizationId, workflowId, secrets) {
      const { tokenHash, tokenSealed, ...rest } = secrets
      const rows = await db
        .update(workflows)
        .set({ ...rest, webhookTokenHash: tokenHash, webhookTokenSealed: tokenSealed })
        .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowId)))
        .returning({ id: workflows.id })
      onlyRow(rows, `workflow ${workflowId} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
    async claim(delivery, dedupeKey, since) {
      const { id, ...values } = delivery
      const { workflowId } = delivery
      const [claimed] = await db
        .insert(webhookDeliveries)
        .values({ id, ...values, dedupeKey })
        .onConflictDoUpdate({
          target: [webhookDeliveries.workflowId, webhookDeliveries.dedupeKey],
          set: { id, ...values },
          setWhere: lt(webhookDeliveries.receivedAt, new Date(since)),
        })
        .returning({ id: webhookDeliveries.id })
      if (claimed) return { claimed: true }
      const [standing] = await db
        .select({ executionId: webhookDeliveries.executionId })
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.workflowId, workflowId), eq(webhookDeliveries.dedupeKey, dedupeKey)))
      return { claimed: false, executionId: standing?.executionId ?? null }
    },
    async settle(id, executionId) {
      await db.update(webhookDeliveries).set({ executionId }).where(eq(webhookDeliveries.id, id))
    },
    async release(id) {
      await db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, id))
    },
  }
}
