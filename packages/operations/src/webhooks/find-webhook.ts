import type { Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, type WorkflowId } from '@troupe/contract'
import type { Readers, Transaction, WebhookSecrets, WorkflowRecord } from '@troupe/storage'
import { findWorkflow } from '../workflows/find-workflow.ts'

/**
 * A workflow of the scope with the secrets of its webhook.
 *
 * @throws DomainError `workflow_not_found`, `forbidden`, or `workflow_not_published` before the first publish
 */
export async function findWebhook(
  read: Pick<Readers, 'workflows' | 'webhooks'>,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
): Promise<{ workflow: WorkflowRecord; secrets: WebhookSecrets }> {
  return withSecrets(read, await findWorkflow(read.workflows.byId, scope, workflowId))
}

/**
 * The same for a change of the secrets. The row of the workflow is locked, so that two changes, or a change and a publish, follow each
 * other; the organization is held, because a bundle publishes under its lock without locking the workflow.
 *
 * @throws DomainError as `findWebhook`
 */
export async function lockWebhook(
  { read, write }: Pick<Transaction, 'read' | 'write'>,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
): Promise<{ workflow: WorkflowRecord; secrets: WebhookSecrets }> {
  await write.organizations.hold(scope.organizationId)
  return withSecrets(read, await findWorkflow(write.workflows.lock, scope, workflowId))
}

async function withSecrets(read: Pick<Readers, 'webhooks'>, workflow: WorkflowRecord) {
  const secrets = await read.webhooks.secrets(workflow.organizationId, workflow.id)
  if (!secrets) {
    throw new DomainError(
      'workflow_not_published',
      'The workflow gets its webhook when it is first published.',
    )
  }
  return { workflow, secrets }
}
