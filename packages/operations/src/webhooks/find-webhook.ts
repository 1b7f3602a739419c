import type { Scope } from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'
import type { Readers, WebhookSecrets, WorkflowRecord } from '@troupe/storage'
import { findWorkflow } from '../workflows/find-workflow.ts'

/**
 * A workflow of the scope with the secrets of its webhook.
 *
 * @throws DomainError `workflow_not_found`, `forbidden`, or `workflow_not_published` before the first publish
 */
export async function findWebhook(
  read: Pick<Readers, 'workflows' | 'webhooks'>,
  scope: Scope,
  workflowId: string,
): Promise<{ workflow: WorkflowRecord; secrets: WebhookSecrets }> {
  const workflow = await findWorkflow(read.workflows.byId, scope, workflowId)
  const secrets = await read.webhooks.secrets(workflow.organizationId, workflow.id)
  if (!secrets) {
    throw new DomainError(
      'workflow_not_published',
      'The workflow gets its webhook when it is first published.',
    )
  }
  return { workflow, secrets }
}
