import type { BundleWorkflow, WorkflowId } from '@troupe/contract'
import { hashWebhookToken, openWebhookSecrets } from '@troupe/operations/webhooks/webhook-secrets'
import type { PublishSettings } from '@troupe/operations/workflows/trigger-publisher'
import type { WorkflowRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { Planner } from '../resolve/planner.ts'

/** The webhook settings of a bundle, and whether they differ from the stored ones. */
export interface WebhookPlan {
  settings: Pick<PublishSettings, 'webhookToken' | 'signingSecret'>
  differs: boolean
}

/** Checks the webhook settings of a bundle. Absent settings change nothing. */
export async function planWebhook(
  planner: Pick<Planner, 'read' | 'box' | 'now' | 'problems'>,
  { value, path }: Item<BundleWorkflow>,
  before: WorkflowRecord | null,
  id: WorkflowId,
): Promise<WebhookPlan> {
  const { token, signingSecret } = value.webhook ?? {}
  if (token === undefined && signingSecret === undefined) return { settings: {}, differs: false }
  const { read, box, problems } = planner
  if (value.publish !== true) problems.add(`${path}.webhook`, 'must be given together with publish: true')
  const owner = token === undefined ? null : await read.webhooks.ownerOf(hashWebhookToken(token))
  if (owner !== null && owner !== id)
    problems.add(`${path}.webhook.token`, 'is the token of another workflow')
  const settings = {
    ...(token !== undefined && { webhookToken: token }),
    ...(signingSecret !== undefined && { signingSecret }),
  }
  const stored = before && (await read.webhooks.secrets(before.organizationId, before.id))
  if (!stored) return { settings, differs: true }
  const current = openWebhookSecrets(box, id, stored, planner.now())
  const differs =
    (token !== undefined && token !== current.token) ||
    (signingSecret !== undefined && signingSecret !== current.signingSecret)
  return { settings, differs }
}
