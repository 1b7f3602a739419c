import { DomainError, type FieldError } from '@troupe/contract'
import { randomToken } from '@troupe/secrets'
import type { WebhookSecrets } from '@troupe/storage'
import type { PublishSettings, TriggerPublisher } from '../workflows/trigger-publisher.ts'
import { withPreviousSecret } from './previous-secret.ts'
import {
  hashWebhookToken,
  mintSigningSecret,
  openWebhookSecrets,
  sealSigningSecret,
  sealToken,
} from './webhook-secrets.ts'

const TOKEN = /^[A-Za-z0-9._~-]{8,200}$/
const SHORTEST_SECRET = 8
const LONGEST_SECRET = 200

/**
 * Mints the token and the signing secret on the first publish and keeps them, so that published URLs stay
 * valid. A secret in the settings replaces the stored one, which is accepted for another day.
 */
export const publishWebhook: TriggerPublisher = async (
  { box, now },
  { read, write },
  { workflow, settings },
) => {
  const errors = settingFaults(settings)
  if (errors.length > 0)
    throw new DomainError('validation_error', 'The workflow cannot be published.', { errors })
  const { id, organizationId } = workflow
  const { webhookToken, signingSecret } = settings
  const stored = await read.webhooks.secrets(organizationId, id)
  if (!stored) {
    await write.webhooks.putSecrets(organizationId, id, {
      ...sealToken(box, id, webhookToken ?? randomToken()),
      signingSecretSealed: sealSigningSecret(box, id, signingSecret ?? mintSigningSecret()),
      previousSecretSealed: null,
      previousSecretUntil: null,
    })
    return false
  }
  const isNewToken = webhookToken !== undefined && hashWebhookToken(webhookToken) !== stored.tokenHash
  const current = openWebhookSecrets(box, id, stored, now()).signingSecret
  const isNewSecret = signingSecret !== undefined && signingSecret !== current
  if (!isNewToken && !isNewSecret) return false
  const secrets: WebhookSecrets = {
    ...stored,
    ...(isNewToken && sealToken(box, id, webhookToken)),
    ...(isNewSecret && withPreviousSecret(stored, sealSigningSecret(box, id, signingSecret), now())),
  }
  await write.webhooks.putSecrets(organizationId, id, secrets)
  return false
}

function settingFaults({ webhookToken, signingSecret }: PublishSettings): FieldError[] {
  const errors: FieldError[] = []
  if (webhookToken !== undefined && !TOKEN.test(webhookToken)) {
    errors.push({ path: 'webhook.token', message: 'must be 8 to 200 letters, digits and . _ ~ -' })
  }
  const length = signingSecret?.length ?? SHORTEST_SECRET
  if (length < SHORTEST_SECRET || length > LONGEST_SECRET) {
    const message = `must have ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters`
    errors.push({ path: 'webhook.signingSecret', message })
  }
  return errors
}
