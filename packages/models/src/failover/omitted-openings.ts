import type { ModelTarget } from '@troupe/agents/ports'

const MAX_MODELS = 1_000

/**
 * The models that close thoughts without opening them, because their template has the opening mark in the prompt
 * (https://huggingface.co/deepseek-ai/DeepSeek-R1/commit/8a58a132790c9935686eb97f042afa8013451c9f). Learned from their
 * answers, for as long as the process lives.
 */
export class OmittedOpenings {
  readonly #known = new Set<string>()

  has(target: ModelTarget): boolean {
    return this.#known.has(keyOf(target))
  }

  add(target: ModelTarget): void {
    this.#known.add(keyOf(target))
    const [oldest] = this.#known
    if (this.#known.size > MAX_MODELS && oldest !== undefined) this.#known.delete(oldest)
  }
}

function keyOf({ connection, modelId }: ModelTarget): string {
  return JSON.stringify([connection.llmConfigId, connection.version, modelId])
}
