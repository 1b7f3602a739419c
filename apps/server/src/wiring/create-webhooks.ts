import type { AnyId } from '@troupe/contract'
import type { RunSweeper } from '@troupe/agents'
import type { Clock, RunTelemetry } from '@troupe/agents/ports'
import type { Database } from '@troupe/database'
import type { ApiKeyCache } from '@troupe/operations/access/api-key-cache'
import { DeliveryRecorder } from '@troupe/operations/webhooks/delivery-recorder'
import type { DeliveryParts } from '@troupe/operations/webhooks/receive-delivery'
import { WebhookDoors } from '@troupe/operations/webhooks/webhook-doors'
import type { WorkflowGraphs } from '@troupe/operations/workflows/workflow-graphs'
import type { RateLimiter } from '@troupe/rate-limits'
import type { SecretBox } from '@troupe/secrets'
import type { WorkflowRunner } from '@troupe/workflows'

const LOG_MS = 30 * 24 * 60 * 60_000

/** What webhooks are made of. */
export interface WebhookParts {
  database: Database
  secretBox: SecretBox
  clock: Clock
  newId: () => AnyId
  apiKeys: ApiKeyCache
  rateLimiter: RateLimiter
  telemetry: RunTelemetry
  runner: WorkflowRunner
  graphs: WorkflowGraphs
  sweeper: RunSweeper
}

/** The webhooks of this process. Disposing writes what the log still waits for. */
export interface Webhooks extends DeliveryParts, AsyncDisposable {
  doors: WebhookDoors
  recorder: DeliveryRecorder
}

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { database, secretBox: box, clock, telemetry, sweeper } = parts
  const doors = new WebhookDoors({ read: database.read.webhooks, box, clock, signals: database.signals })
  const recorder = new DeliveryRecorder(database.webhookLog, (error) =>
    telemetry.backgroundFailed('log of webhook deliveries', error),
  )
  sweeper.add('retention', 'webhook deliveries', () => database.webhookLog.sweep(clock.now() - LOG_MS))
  const { newId, apiKeys, rateLimiter, runner, graphs } = parts
  return {
    doors,
    recorder,
    database,
    clock,
    newId,
    apiKeys,
    rateLimiter,
    runner,
    graphs,
    async [Symbol.asyncDispose]() {
      doors[Symbol.dispose]()
      await recorder[Symbol.asyncDispose]()
    },
  }
}
