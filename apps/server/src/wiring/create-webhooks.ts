import type { Clock, RunTelemetry } from '@troupe/agents/ports'
import type { NewId } from '@troupe/contract'
import type { ApiKeyCache } from '@troupe/operations/access/api-key-cache'
import type { TestCallParts } from '@troupe/operations/listeners/webhook-listener'
import { DeliveryRecorder } from '@troupe/operations/webhooks/delivery-recorder'
import { PublishedWebhooks } from '@troupe/operations/webhooks/published-webhooks'
import type { DeliveryParts } from '@troupe/operations/webhooks/receive-delivery'
import type { WorkflowGraphs } from '@troupe/operations/workflows/workflow-graphs'
import type { RateLimiter } from '@troupe/rate-limits'
import type { SecretBox } from '@troupe/secrets'
import type { Database } from '@troupe/storage'
import type { WorkflowRunner } from '@troupe/workflows'

/** Dependencies of webhooks. */
export interface WebhookParts {
  database: Database
  secretBox: SecretBox
  clock: Clock
  newId: NewId
  apiKeys: ApiKeyCache
  rateLimiter: RateLimiter
  /** The operator's ceiling for the requests per minute of organizations; null: none. */
  rpmCeiling: number | null
  telemetry: RunTelemetry
  runner: WorkflowRunner
  graphs: WorkflowGraphs
}

/** The webhooks of this process. Disposing flushes the delivery log. */
export interface Webhooks extends DeliveryParts, TestCallParts, AsyncDisposable {
  database: Database
  published: PublishedWebhooks
  recorder: DeliveryRecorder
}

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { database, secretBox: box, clock, telemetry } = parts
  const published = new PublishedWebhooks({
    read: database.read.webhooks,
    box,
    clock,
    signals: database.signals,
  })
  const recorder = new DeliveryRecorder(database.webhookLog, (error) =>
    telemetry.backgroundFailed('log of webhook deliveries', error),
  )
  const { newId, apiKeys, rateLimiter, rpmCeiling, runner, graphs } = parts
  return {
    published,
    recorder,
    database,
    box,
    clock,
    newId,
    apiKeys,
    rateLimiter,
    rpmCeiling,
    runner,
    graphs,
    async [Symbol.asyncDispose]() {
      published[Symbol.dispose]()
      await recorder[Symbol.asyncDispose]()
    },
  }
}
