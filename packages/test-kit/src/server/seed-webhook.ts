import { createHmac } from 'node:crypto'
import type { WorkflowId } from '@troupe/contract'
import { mintSigningSecret, sealSigningSecret, sealToken } from '@troupe/operations/webhooks/webhook-secrets'
import { randomToken } from '@troupe/secrets'
import type { Context } from '@troupe/server'
import { seedWorkflow, type WorkflowSeed } from './seed-workflow.ts'

/** A published workflow with a webhook. */
export interface SeededWebhook {
  workflowId: WorkflowId
  token: string
  signingSecret: string
  /** Path of the webhook. */
  path: string
}

/** A graph of one HTTP Request node, whose output is the received request. */
export function hookGraph(config: Record<string, unknown> = {}) {
  return {
    nodes: [{ id: 'hook', type: 'http-request', name: 'Hook', position: { x: 0, y: 0 }, config }],
    edges: [],
  }
}

/** Inserts a workflow with a webhook into the database. */
export async function seedWebhook(
  { database, secretBox }: Pick<Context, 'database' | 'secretBox'>,
  seed: WorkflowSeed,
): Promise<SeededWebhook> {
  const workflowId = await seedWorkflow(database, { graph: hookGraph(), ...seed })
  const [token, signingSecret] = [randomToken(), mintSigningSecret()]
  await database.transaction(({ write }) =>
    write.webhooks.putSecrets(seed.organizationId, workflowId, {
      ...sealToken(secretBox, workflowId, token),
      signingSecretSealed: sealSigningSecret(secretBox, workflowId, signingSecret),
      previousSecretSealed: null,
      previousSecretUntil: null,
    }),
  )
  return { workflowId, token, signingSecret, path: `/api/v1/workflows/${workflowId}/trigger/${token}` }
}

/** The headers of a signed call, computed without server code. */
export function signedHeaders(
  signingSecret: string,
  body: string | Buffer,
  timestamp: number = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signature = createHmac('sha256', signingSecret).update(`${timestamp}.`).update(body).digest('hex')
  return { 'x-service-timestamp': String(timestamp), 'x-service-signature': signature }
}
