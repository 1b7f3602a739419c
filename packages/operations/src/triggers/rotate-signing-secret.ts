import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { lockWebhook } from '../webhooks/find-webhook.ts'
import { withPreviousSecret } from '../webhooks/previous-secret.ts'
import { mintSigningSecret, sealSigningSecret } from '../webhooks/webhook-secrets.ts'
import { getWebhook, type WebhookView, type WebhookViewParts } from './get-webhook.ts'

/**
 * Activates a new signing secret. The previous one is accepted for 24 hours; older ones are not.
 *
 * @throws DomainError as `lockWebhook` does
 */
export async function rotateSigningSecret(
  parts: WebhookViewParts & { database: Pick<Database, 'transaction'>; configChanges: ConfigChanges },
  scope: Scope,
  actor: Actor,
  workflowId: IdText<WorkflowId>,
): Promise<WebhookView> {
  const { database, box, now, configChanges } = parts
  const { organizationId } = scope
  await database.transaction(async (tx) => {
    const { write } = tx
    const { workflow, secrets } = await lockWebhook(tx, scope, workflowId)
    const { id, projectId } = workflow
    const sealed = sealSigningSecret(box, id, mintSigningSecret())
    const rotated = { ...secrets, ...withPreviousSecret(secrets, sealed, now()) }
    await write.webhooks.putSecrets(organizationId, id, rotated)
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'workflow.signing_secret_rotated',
      entityKind: 'workflow',
      entityId: id,
      before: null,
      after: { previousSecretUntil: rotated.previousSecretUntil?.toISOString() ?? null },
    })
  })
  configChanges.committed(organizationId)
  return getWebhook(parts, scope, workflowId)
}
