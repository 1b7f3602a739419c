import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { WorkflowId, WorkflowRunId } from '../schema/ids.ts'

/** The acknowledgement of a webhook. */
const TriggeredWorkflowRun = Type.Object({ executionId: Uuid<WorkflowRunId>() })

export const triggerWorkflowOperation = defineOperation({
  id: 'triggerWorkflow',
  method: 'POST',
  path: '/api/v1/workflows/{workflowId}/trigger/{webhookToken}',
  tag: 'Triggers',
  summary: 'Start a workflow by its webhook',
  description:
    'Takes any JSON as the body, at most 1 MB; an empty body is `{}`. It is bound to `trigger.body`. ' +
    '`X-Service-Timestamp` is mandatory, together with either `X-Service-Signature` (the lowercase hex of ' +
    'HMAC-SHA256 over `<timestamp>.<raw body>`, keyed with the signing secret of the workflow) or an API key in ' +
    '`X-API-Key` or `Authorization: Bearer`.',
  access: 'trigger',
  params: Type.Object({
    workflowId: Uuid<WorkflowId>(),
    webhookToken: Type.String({ description: 'The token of its webhook, as the builder shows it.' }),
  }),
  headers: Type.Object({
    'x-service-timestamp': Type.Optional(
      Type.String({ description: 'Unix seconds, at most 5 minutes from the clock of the server.' }),
    ),
    'x-service-signature': Type.Optional(Type.String({ description: 'Lowercase hex, 64 characters.' })),
    'idempotency-key': Type.Optional(
      Type.String({
        description: 'Identifies repeated deliveries, if the trigger rejects duplicates.',
      }),
    ),
  }),
  body: Type.Unknown(),
  bodyOptional: true,
  success: { status: 202, description: 'The run is stored.', body: TriggeredWorkflowRun },
  errors: [
    'validation_error',
    'unauthorized',
    'workflow_not_found',
    'concurrency_limit_reached',
    'execution_create_failed',
  ],
})
