import { getHostedForm, rotateFormToken } from '@troupe/builder/triggers/hosted-form'
import {
  describeWebhook,
  revealWebhook,
  rotateWebhookSecret,
  rotateWebhookToken,
} from '@troupe/builder/triggers/webhook'
import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { listSchedules } from '@troupe/operations/schedules/list-schedules'
import { listDeliveries, replayDelivery } from '@troupe/operations/webhooks/list-deliveries'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the routes. */
export type TriggersContext = Pick<Context, 'database' | 'configChanges' | 'secretBox' | 'clock' | 'config'>

/** The webhook, the form and the schedules of a workflow. */
export function registerTriggers(app: App, context: TriggersContext): void {
  const { database, configChanges, secretBox: box, clock, config } = context
  const now = () => clock.now()
  const parts = { database, configChanges, box, now, publicUrl: config.publicUrl }

  registerOperation(app, BUILDER_OPERATIONS.getWebhook, ({ caller, params }) =>
    describeWebhook(parts, caller, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.revealWebhook, ({ caller, params }) =>
    revealWebhook(parts, caller, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.rotateWebhookSecret, ({ caller, params }) =>
    rotateWebhookSecret(parts, caller, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.rotateWebhookToken, ({ caller, params }) =>
    rotateWebhookToken(parts, caller, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.getHostedForm, ({ caller, params }) =>
    getHostedForm(parts, caller, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.rotateFormToken, ({ caller, params }) =>
    rotateFormToken(parts, caller, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.listSchedules, async ({ caller, params }) => ({
    schedules: await listSchedules(database.read, caller, params.workflowId, now()),
  }))
  registerOperation(app, BUILDER_OPERATIONS.listDeliveries, ({ caller, params, query }) =>
    listDeliveries(database, caller, params.workflowId, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getDelivery, async ({ caller, params }) => {
    const { delivery, ...body } = await replayDelivery(database, caller, params.workflowId, params.deliveryId)
    return { ...delivery, ...body }
  })
}
