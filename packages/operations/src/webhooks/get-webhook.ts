import type { Scope } from '@troupe/agents/ports'
import type { Database } from '@troupe/database'
import type { SecretBox } from '@troupe/secrets'
import { findWebhook } from './find-webhook.ts'
import { type SigningSnippets, signingSnippets } from './signing-snippets.ts'
import { openWebhookSecrets } from './webhook-secrets.ts'

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
  workflowId: string
  /** Whether deliveries currently start runs. */
  published: boolean
  url: string
  signingSecret: string
  /** Unix seconds until which the secret before the last rotation is accepted; null when there is none. */
  previousSecretUntil: number | null
  /** Programs that send a signed call and run unmodified. */
  snippets: SigningSnippets
}

/** The address of a webhook. */
export function webhookUrl(publicUrl: string, workflowId: string, token: string): string {
  return `${publicUrl}/api/v1/workflows/${workflowId}/trigger/${token}`
}

/**
 * The webhook of a workflow, with its secret.
 *
 * @throws DomainError as `findWebhook` does
 */
export async function getWebhook(
  { database, box, now, publicUrl }: WebhookViewParts,
  scope: Scope,
  workflowId: string,
): Promise<WebhookView> {
  const { workflow, secrets } = await findWebhook(database.read, scope, workflowId)
  const { token, signingSecret, previous } = openWebhookSecrets(box, workflow.id, secrets, now())
  const url = webhookUrl(publicUrl, workflow.id, token)
  return {
    workflowId: workflow.id,
    published: workflow.activeDeployment !== null,
    url,
    signingSecret,
    previousSecretUntil: previous && Math.floor(previous.until.getTime() / 1000),
    snippets: signingSnippets(url, signingSecret),
  }
}
