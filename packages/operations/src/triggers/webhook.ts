import type { IdText, WorkflowId } from '@troupe/contract'
import type { RevealedWebhook, Webhook } from '@troupe/contract/builder'
import { randomToken } from '@troupe/secrets'
import type { Database, Transaction, WorkflowRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { findWebhook, lockWebhook } from '../webhooks/find-webhook.ts'
import { signingSnippets } from '../webhooks/signing-snippets.ts'
import { sealToken } from '../webhooks/webhook-secrets.ts'
import { getWebhook, type WebhookView, type WebhookViewParts } from './get-webhook.ts'
import { rotateSigningSecret } from './rotate-signing-secret.ts'

/** Dependencies of operations on webhooks. */
export interface EditWebhookParts extends WebhookViewParts {
  database: Pick<Database, 'read' | 'transaction'>
  configChanges: ConfigChanges
}

/** The placeholder of the secret in the snippets. */
const PLACEHOLDER = 'whs_YOUR_SIGNING_SECRET'
const HINT_LENGTH = 4

/** @throws DomainError `workflow_not_found`, or `workflow_not_published` before the first publish */
export async function describeWebhook(
  parts: WebhookViewParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<Webhook> {
  return withoutSecret(await getWebhook(parts, caller, workflowId))
}

/**
 * The webhook with its secret; the audit log records that the caller saw it.
 *
 * @throws DomainError as `describeWebhook`
 */
export async function revealWebhook(
  parts: EditWebhookParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<RevealedWebhook> {
  await parts.database.transaction(async (tx) => {
    const { workflow } = await findWebhook(tx.read, caller, workflowId)
    await audit(tx, caller, workflow, 'workflow.signing_secret_revealed')
  })
  return withSecret(await getWebhook(parts, caller, workflowId))
}

/** @throws DomainError as `describeWebhook` */
export async function rotateWebhookSecret(
  parts: EditWebhookParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<RevealedWebhook> {
  return withSecret(await rotateSigningSecret(parts, caller, caller.actor, workflowId))
}

/**
 * Replaces the address; the old one is invalid from the commit on.
 *
 * @throws DomainError as `describeWebhook`
 */
export async function rotateWebhookToken(
  parts: EditWebhookParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<Webhook> {
  const { database, box, configChanges } = parts
  const { organizationId } = caller
  await database.transaction(async (tx) => {
    const { workflow, secrets } = await lockWebhook(tx, caller, workflowId)
    const token = sealToken(box, workflow.id, randomToken())
    await tx.write.webhooks.putSecrets(organizationId, workflow.id, { ...secrets, ...token })
    await audit(tx, caller, workflow, 'workflow.webhook_token_rotated')
  })
  configChanges.committed(organizationId)
  return describeWebhook(parts, caller, workflowId)
}

function audit(
  { write }: Transaction,
  { actor }: BuilderCaller,
  { organizationId, projectId, id }: WorkflowRecord,
  action: 'workflow.signing_secret_revealed' | 'workflow.webhook_token_rotated',
): Promise<void> {
  const entry = { organizationId, projectId, actor, action, entityKind: 'workflow', entityId: id } as const
  return write.audit.append({ ...entry, before: null, after: null })
}

function withoutSecret({ signingSecret, sample, ...view }: WebhookView): Webhook {
  return { ...withTimes(view, signingSecret), snippets: signingSnippets(view.url, PLACEHOLDER, sample) }
}

function withSecret({ signingSecret, sample: _, ...view }: WebhookView): RevealedWebhook {
  return { ...withTimes(view, signingSecret), signingSecret }
}

function withTimes(view: Omit<WebhookView, 'signingSecret' | 'sample'>, signingSecret: string): Webhook {
  const { previousSecretUntil: until } = view
  return {
    ...view,
    hint: signingSecret.slice(-HINT_LENGTH),
    previousSecretUntil: until === null ? null : new Date(until * 1000).toISOString(),
  }
}
