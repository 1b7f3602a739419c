import type { ModelTarget } from '@troupe/agents/ports'

/** Identifies a model of a configuration in its current version: an edited configuration has different keys. */
export function modelKey({ connection, modelId }: ModelTarget): string {
  return JSON.stringify([connection.llmConfigId, connection.version, modelId])
}
