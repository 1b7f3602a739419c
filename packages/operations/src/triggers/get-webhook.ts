import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowId } from '@troupe/contract'
import { parseGraph } from '@troupe/graph'
import { sampleBody, withSamples } from '@troupe/nodes/sample-payload'
import type { SecretBox } from '@troupe/secrets'
import type { Database, Readers, WorkflowRecord } from '@troupe/storage'
import { samplesOf } from '../pins/pins.ts'
import { findWebhook } from '../webhooks/find-webhook.ts'
import { type SigningSnippets, signingSnippets } from '../webhooks/signing-snippets.ts'
import { openWebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { webhookUrl } from '../webhooks/webhook-url.ts'

export interface WebhookViewParts {
  database: Pick<Database, 'read'>
  box: SecretBox
  /** Milliseconds since the epoch. */
  now: () => number
  /** Public base URL of this server, without a trailing slash. */
  publicUrl: string
}

/** A webhook as an editor of the workflow sees it. */
export interface WebhookView {
  workflowId: IdText<WorkflowId>
  /** Whether deliveries currently start runs. */
  published: boolean
  url: string
  signingSecret: string
  /** Unix seconds until which the secret before the last rotation is accepted; null if there is none. */
  previousSecretUntil: number | null
  /** Programs that send a signed call and run without changes. */
  snippets: SigningSnippets
  /** The body of the snippets, as the triggers expect it; null if they declare nothing. */
  sample: Readonly<Record<string, unknown>> | null
}

/**
 * The webhook of a workflow, with its secret.
 *
 * @throws DomainError as `findWebhook` does
 */
export async function getWebhook(
  { database, box, now, publicUrl }: WebhookViewParts,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
): Promise<WebhookView> {
  const { workflow, secrets } = await findWebhook(database.read, scope, workflowId)
  const { token, signingSecret, previous } = openWebhookSecrets(box, workflow.id, secrets, now())
  const url = webhookUrl(publicUrl, workflow.id, token)
  const sample = await expectedBody(database.read, workflow)
  return {
    workflowId: workflow.id,
    published: workflow.activeDeployment !== null,
    url,
    signingSecret,
    previousSecretUntil: previous && Math.floor(previous.until.getTime() / 1000),
    snippets: signingSnippets(url, signingSecret, sample),
    sample,
  }
}

/** A sample body for the published triggers; null if they declare no fields. */
async function expectedBody(
  read: Pick<Readers, 'workflows' | 'pins'>,
  workflow: WorkflowRecord,
): Promise<Record<string, unknown> | null> {
  const { organizationId, activeDeployment } = workflow
  if (activeDeployment === null) return null
  const parsed = parseGraph(await read.workflows.versionGraph(organizationId, activeDeployment.versionId))
  if (!parsed.ok) return null
  return sampleBody(withSamples(parsed.value.nodes, await samplesOf(read, workflow, parsed.value)))
}
