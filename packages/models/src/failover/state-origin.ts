import { createHash } from 'node:crypto'
import type { ModelTarget } from '@troupe/agents/ports'
import { destinationOf } from '../registry/header-values.ts'
import { PROVIDERS } from '../registry/providers.ts'

/**
 * Identifies the provider that creates a step's state and may get it back: a configuration with its destination,
 * because others refuse foreign signatures and encrypted reasoning. If one configuration serves models of several
 * vendors, also the model.
 */
export function originOf({ connection, modelId }: ModelTarget): string {
  const { llmConfigId, providerId } = connection
  const model = PROVIDERS[providerId].hasManyVendors ? modelId : null
  const identity = JSON.stringify([llmConfigId, destinationOf(connection), model])
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22)
}
