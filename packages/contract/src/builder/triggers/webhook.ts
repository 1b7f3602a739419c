import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { WorkflowId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const path = `${WORKFLOW_PATH}/webhook` as const
const common = { tag: 'Triggers', access: 'builder', needs: 'build', params: WorkflowPathParams } as const

const webhook = {
  workflowId: Uuid<WorkflowId>(),
  published: Type.Boolean({ description: 'Whether deliveries start runs now.' }),
  url: Type.String(),
  hint: Type.String({ description: 'The last four characters of the signing secret.' }),
  previousSecretUntil: Nullable(
    IsoTimestamp({ description: 'Until then the secret before the last rotation is accepted.' }),
  ),
  snippets: Type.Object(
    { curl: Type.String(), node: Type.String(), python: Type.String() },
    { description: 'Programs that send a signed call.' },
  ),
}

/** The webhook of a workflow; the snippets have a placeholder for the secret. */
export const Webhook = Type.Object(webhook)
export type Webhook = Static<typeof Webhook>

/** The webhook with its secret, including in the snippets. */
export const RevealedWebhook = Type.Object({ ...webhook, signingSecret: Type.String() })
export type RevealedWebhook = Static<typeof RevealedWebhook>

const errors = ['workflow_not_found', 'workflow_not_published'] as const

export const getWebhookForBuilder = defineOperation({
  ...common,
  id: 'getWebhook',
  method: 'GET',
  path,
  summary: 'Get the webhook of a workflow',
  success: { status: 200, description: 'The webhook, without its secret.', body: Webhook },
  errors,
})

export const revealWebhookForBuilder = defineOperation({
  ...common,
  id: 'revealWebhook',
  method: 'POST',
  path: `${path}/reveal`,
  summary: 'Show the signing secret',
  description: 'The audit log records the reader.',
  success: { status: 200, description: 'The webhook with its secret.', body: RevealedWebhook },
  errors,
})

export const rotateWebhookSecretForBuilder = defineOperation({
  ...common,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/rotate-secret`,
  summary: 'Replace the signing secret',
  description: 'The previous secret is accepted for 24 hours.',
  success: { status: 200, description: 'The webhook with its new secret.', body: RevealedWebhook },
  errors,
})

export const rotateWebhookTokenForBuilder = defineOperation({
  ...common,
  id: 'rotateWebhookToken',
  method: 'POST',
  path: `${path}/rotate-token`,
  summary: 'Replace the address of the webhook',
  description: 'The old address returns 404 immediately.',
  success: { status: 200, description: 'The webhook at its new address.', body: Webhook },
  errors,
})
