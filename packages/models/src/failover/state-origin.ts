import { createHash } from 'node:crypto'
import type { ModelTarget } from '@troupe/agents/ports'
import type { ProviderId } from '@troupe/contract'
import { destinationOf } from '../registry/header-values.ts'

/** Whether one configuration serves models of several vendors, which refuse each other's state. */
const HAS_MANY_VENDORS: Record<ProviderId, boolean> = {
  anthropic: false,
  google: false,
  mistral: false,
  openai: false,
  xai: false,
  'amazon-bedrock': true,
  'azure-openai': true,
  groq: true,
  'openai-compatible': true,
  sandbox: true,
}

/**
 * Identifies the provider that creates a step's state and may get it back: a configuration with its destination,
 * because others refuse foreign signatures and encrypted reasoning. If one configuration serves models of several
 * vendors, also the model.
 */
export function originOf({ connection, modelId }: ModelTarget): string {
  const { llmConfigId, providerId } = connection
  const model = HAS_MANY_VENDORS[providerId] ? modelId : null
  const identity = JSON.stringify([llmConfigId, destinationOf(connection), model])
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22)
}
