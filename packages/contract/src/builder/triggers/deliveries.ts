import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { DeliveryId, WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { StringMap } from '../../schema/objects.ts'
import { KeysetPage, keysetQuery } from '../operation/lists.ts'
import { DeliveryParams, WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const path = `${WORKFLOW_PATH}/deliveries` as const
const common = { tag: 'Triggers', access: 'builder', needs: 'read' } as const

const delivery = {
  deliveryId: Uuid<DeliveryId>(),
  receivedAt: UnixSeconds(),
  status: Type.Integer({ description: 'The HTTP status that the sender got.' }),
  reason: Nullable(Type.String({ description: 'Why it was refused; null when it was accepted.' })),
  executionId: Nullable(Uuid<WorkflowRunId>()),
  ip: Nullable(Type.String()),
  headers: StringMap({ description: 'By lower-case name; credentials are masked.' }),
  bodyBytes: Type.Integer(),
}

/** A call of the webhook. */
const LoggedDelivery = Type.Object(delivery)

/** A call of the webhook with its body. */
const DeliveryWithBody = Type.Object({
  ...delivery,
  body: Type.String({ description: 'As text; long bodies are truncated.' }),
  payload: Type.Unknown({ description: 'The body as JSON; null when it is not JSON, or was truncated.' }),
  isComplete: Type.Boolean(),
})
export type DeliveryWithBody = Static<typeof DeliveryWithBody>

export const listDeliveriesForBuilder = defineOperation({
  ...common,
  id: 'listDeliveries',
  method: 'GET',
  path,
  summary: 'List the calls of the webhook',
  description: 'The last 100 are kept.',
  params: WorkflowPathParams,
  query: Type.Object(keysetQuery),
  success: { status: 200, description: 'One page, newest first.', body: KeysetPage(LoggedDelivery) },
  errors: ['validation_error', 'workflow_not_found'],
})

export const getDeliveryForBuilder = defineOperation({
  ...common,
  id: 'getDelivery',
  method: 'GET',
  path: `${path}/{deliveryId}`,
  summary: 'Get a call of the webhook with its body',
  params: DeliveryParams,
  success: { status: 200, description: 'The call.', body: DeliveryWithBody },
  errors: ['workflow_not_found', 'delivery_not_found'],
})
