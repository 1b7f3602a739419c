import type { ModelTarget } from '@troupe/agents/ports'

/** Names a model of a configuration as it is now: an edited configuration has other keys. */
export function modelKey({ connection, modelId }: ModelTarget): string {
  return JSON.stringify([connection.llmConfigId, connection.version, modelId])
}
