import type { ModelTarget } from '@troupe/agents/ports'
import { LRUCache } from 'lru-cache'
import type { UnmarkedText } from '../streams/thought-filter.ts'
import { modelKey } from './model-key.ts'

const MAX_MODELS = 1_000
const REMEMBERED_MS = 60 * 60_000

/**
 * Families whose chat template ends with the opening mark, so that servers without a reasoning parser send the closing
 * one only: DeepSeek-R1
 * (https://huggingface.co/deepseek-ai/DeepSeek-R1/commit/8a58a132790c9935686eb97f042afa8013451c9f), QwQ and Qwen's
 * thinking models (https://huggingface.co/Qwen/Qwen3-235B-A22B-Thinking-2507), Kimi K2.5
 * (https://huggingface.co/moonshotai/Kimi-K2.5/discussions/27), MiniMax-M2, and models named after thinking.
 */
const FAMILIES = /deepseek-?r1|r1-distill|qwq|thinking|reason(?:er|ing)|kimi-k2\.5|minimax-?m2/i

/** Only self-hosted servers have this problem; providers send reasoning separately from the text. */
const SELF_HOSTED = 'openai-compatible'

/**
 * Whether models close thoughts without an opening mark, because their template has it in the prompt. Learned from
 * their answers: a yes for an hour, a no until the model closes thoughts without one.
 */
export class ThoughtHabits {
  readonly #omitsOpening = new LRUCache<string, boolean>({ max: MAX_MODELS, ttl: REMEMBERED_MS })

  /** Records that a mark closed thoughts without an opening mark. */
  omittedOpening(target: ModelTarget): void {
    this.#omitsOpening.set(modelKey(target), true)
  }

  /** Records a whole text without thoughts. */
  answeredPlainly(target: ModelTarget): void {
    const key = modelKey(target)
    if (!this.#omitsOpening.has(key)) this.#omitsOpening.set(key, false, { ttl: 0 })
  }

  /**
   * How to treat text without an opening mark.
   *
   * @param mayShow whether text that turns out to be thoughts may be visible for a moment
   */
  unmarkedText(target: ModelTarget, mayShow: boolean): UnmarkedText {
    const omits = this.#omitsOpening.get(modelKey(target))
    if (omits !== undefined) return omits ? 'thoughts' : 'answer'
    const mayOmit = !mayShow && target.connection.providerId === SELF_HOSTED
    return mayOmit || FAMILIES.test(target.modelId) ? 'held' : 'answer'
  }
}
