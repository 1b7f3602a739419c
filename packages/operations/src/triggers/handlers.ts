import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import {
  getListenerCall,
  type ListenerParts,
  listListeners,
  revealListener,
  startListener,
  stopListener,
} from '../listeners/manage-listeners.ts'
import { type FormPasswordParts, getHostedForm, rotateFormToken, setFormPassword } from './hosted-form.ts'
import { listDeliveries, replayDelivery } from './list-deliveries.ts'
import { listSchedules } from './list-schedules.ts'
import {
  describeWebhook,
  type EditWebhookParts,
  revealWebhook,
  rotateWebhookSecret,
  rotateWebhookToken,
} from './webhook.ts'

/** The webhook, the form, the schedules and the listeners of a workflow. */
export function triggerHandlers(
  parts: EditWebhookParts & FormPasswordParts & ListenerParts,
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { database, now } = parts
  return [
    handler(op.getWebhook, ({ caller, params }) => describeWebhook(parts, caller, params.workflowId)),
    handler(op.revealWebhook, ({ caller, params }) => revealWebhook(parts, caller, params.workflowId)),
    handler(op.rotateWebhookSecret, ({ caller, params }) =>
      rotateWebhookSecret(parts, caller, params.workflowId),
    ),
    handler(op.rotateWebhookToken, ({ caller, params }) =>
      rotateWebhookToken(parts, caller, params.workflowId),
    ),
    handler(op.getHostedForm, ({ caller, params }) => getHostedForm(parts, caller, params.workflowId)),
    handler(op.rotateFormToken, ({ caller, params }) => rotateFormToken(parts, caller, params.workflowId)),
    handler(op.setFormPassword, ({ caller, params, body }) =>
      setFormPassword(parts, caller, params.workflowId, body.password),
    ),
    handler(op.listSchedules, async ({ caller, params }) => ({
      schedules: await listSchedules(database.read, caller, params.workflowId, now()),
    })),
    handler(op.listDeliveries, ({ caller, params, query }) =>
      listDeliveries(database, caller, params.workflowId, query),
    ),
    handler(op.getDelivery, async ({ caller, params: { workflowId, deliveryId } }) => {
      const { delivery, ...body } = await replayDelivery(database, caller, workflowId, deliveryId)
      return { ...delivery, ...body }
    }),
    handler(op.listListeners, ({ caller, params }) => listListeners(parts, caller, params.workflowId)),
    handler(op.startListener, ({ caller, params, body }) =>
      startListener(parts, caller, params.workflowId, body),
    ),
    handler(op.revealListener, ({ caller, params }) => revealListener(parts, caller, params)),
    handler(op.stopListener, ({ caller, params }) => stopListener(parts, caller, params)),
    handler(op.getListenerCall, ({ caller, params }) => getListenerCall(parts, caller, params)),
  ]
}
