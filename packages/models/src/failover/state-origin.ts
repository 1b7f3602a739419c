import { createHash } from 'node:crypto'
import type { ModelTarget, ProviderConnection } from '@troupe/agents/ports'
import { destinationOf } from '../registry/header-values.ts'
import { PROVIDERS } from '../registry/providers.ts'

/**
 * The last origin of each connection. An origin never changes, because an edited configuration has another connection.
 */
const lastOrigins = new WeakMap<ProviderConnection, { model: string | null; origin: string }>()

/**
 * Identifies the provider that creates a step's state and may get it back: a configuration with its destination,
 * because others refuse foreign signatures and encrypted reasoning. If one configuration serves models of several
 * vendors, also the model.
 */
export function originOf({ connection, modelId }: ModelTarget): string {
  const model = PROVIDERS[connection.providerId].hasManyVendors ? modelId : null
  const last = lastOrigins.get(connection)
  if (last?.model === model) return last.origin
  const identity = JSON.stringify([connection.llmConfigId, destinationOf(connection), model])
  const origin = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  lastOrigins.set(connection, { model, origin })
  return origin
}
