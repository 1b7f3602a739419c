import type { Database } from '@troupe/database'
import type { WorkflowRunner } from '@troupe/runtime'
import type { RunTelemetry } from '@troupe/runtime/ports'
import type { ApiKeyCache } from '../access/api-key-cache.ts'
import type { Clock } from '../clock.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { DeliveryRecorder } from './delivery-recorder.ts'
import { WebhookDoors } from './webhook-doors.ts'

/** What webhooks are made of. */
export interface WebhookParts {
  database: Database
  secretBox: SecretBox
  clock: Clock
  newId: () => string
  apiKeys: ApiKeyCache
  rateLimiter: RateLimiter
  telemetry: RunTelemetry
  runner: WorkflowRunner
  graphs: WorkflowGraphs
}

/** The webhooks of this process. Disposing writes what the log still waits for. */
export interface Webhooks extends AsyncDisposable {
  doors: WebhookDoors
  recorder: DeliveryRecorder
  database: Pick<Database, 'transaction'>
  clock: Clock
  newId: () => string
  apiKeys: ApiKeyCache
  rateLimiter: RateLimiter
  runner: WorkflowRunner
  graphs: WorkflowGraphs
}

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { database, secretBox: box, clock, telemetry } = parts
  const doors = new WebhookDoors({ read: database.read.webhooks, box, clock, signals: database.signals })
  const recorder = new DeliveryRecorder(database.webhookLog, (error) =>
    telemetry.backgroundFailed('log of webhook deliveries', error),
  )
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
