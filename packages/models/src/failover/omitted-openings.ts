import type { ModelTarget } from '@troupe/agents/ports'
import { LRUCache } from 'lru-cache'

const MAX_MODELS = 1_000
const REMEMBERED_MS = 60 * 60_000

/**
 * The models that close thoughts without opening them, because their template has the opening mark in the prompt
 * (https://huggingface.co/deepseek-ai/DeepSeek-R1/commit/8a58a132790c9935686eb97f042afa8013451c9f). Learned from their
 * answers, for an hour.
 */
export class OmittedOpenings {
  readonly #known = new LRUCache<string, true>({ max: MAX_MODELS, ttl: REMEMBERED_MS })

  has(target: ModelTarget): boolean {
    return this.#known.has(keyOf(target))
  }

  add(target: ModelTarget): void {
    this.#known.set(keyOf(target), true)
  }
}

function keyOf({ connection, modelId }: ModelTarget): string {
  return JSON.stringify([connection.llmConfigId, connection.version, modelId])
}
