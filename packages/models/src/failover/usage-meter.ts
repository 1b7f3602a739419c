import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { propertyOf } from '@troupe/contract'

/** Tokens of one attempt, as integers from 0. */
export interface TokenCounts {
  /** All of them, including reads from and writes to a cache. */
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  /** The part of `cacheWriteTokens` with a lifetime of an hour. */
  cacheWriteHourTokens: number
  /** All of them, including those of reasoning. */
  outputTokens: number
  reasoningTokens: number
  /** True if the provider reported no usage, or not all of it. */
  usageIncomplete: boolean
}

/** Upper bound on the tokens of one model call. */
const MAX_TOKENS = 1_000_000_000

/** The protocols' fields for input and output counts. */
const INPUTS = ['prompt_tokens', 'input_tokens', 'promptTokenCount', 'inputTokens']
const OUTPUTS = ['completion_tokens', 'output_tokens', 'candidatesTokenCount', 'outputTokens']

/**
 * Reads the tokens of an attempt from the parts of its answer. Packages return 0 if a provider reported nothing, and
 * some providers report outside the fields of their protocol.
 */
export class UsageMeter {
  /** Reported in `finish`. */
  #final: LanguageModelV4Usage | null = null
  /** Reported at the start of an answer, which only Anthropic does. */
  #first: unknown
  #hasContent = false

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'finish':
        this.#final = part.usage
        break
      case 'custom':
        if (part.kind === 'anthropic.message_start') {
          this.#first = propertyOf(part.providerMetadata?.anthropic, 'usage')
        }
        break
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call':
        this.#hasContent = true
        break
      default:
        break
    }
  }

  /** Whether `finish` has been added. */
  get isFinal(): boolean {
    return this.#final !== null
  }

  /** @param isWhole whether the answer was complete */
  counts(isWhole: boolean): TokenCounts {
    const usage = this.#final
    if (usage?.inputTokens.total === undefined) return this.#countsOfStart()
    const { inputTokens: input, outputTokens: output, raw } = usage
    const reasoning = output.reasoning ?? numberOf(raw, 'reasoning_tokens')
    const cacheWriteHourTokens = hourWrites(raw) || hourWrites(this.#first)
    const given = [
      input.total,
      input.cacheRead || numberOf(raw, 'cached_tokens'),
      input.cacheWrite,
      output.total === undefined ? undefined : output.total + reasoningBeside(raw, reasoning),
      reasoning,
    ]
    const [inputTokens = 0, cachedTokens = 0, cacheWriteTokens = 0, outputTokens = 0, reasoningTokens = 0] =
      given.map(countOf)
    const isWrong = given.some((count) => count !== undefined && count !== countOf(count))
    // Every prompt and every text has tokens, so a 0 means "not reported", unless the provider sent it explicitly.
    const isMissing =
      (inputTokens === 0 && !INPUTS.some((name) => numberOf(raw, name) === 0)) ||
      (outputTokens === 0 && this.#hasContent && !OUTPUTS.some((name) => numberOf(raw, name) === 0))
    const usageIncomplete = !isWhole || isMissing || isWrong || output.total === undefined
    return {
      ...{ inputTokens, cachedTokens, cacheWriteTokens, cacheWriteHourTokens },
      ...{ outputTokens, reasoningTokens, usageIncomplete },
    }
  }

  #countsOfStart(): TokenCounts {
    const of = (name: string) => countOf(numberOf(this.#first, name))
    const cachedTokens = of('cache_read_input_tokens')
    const cacheWriteTokens = of('cache_creation_input_tokens')
    return {
      inputTokens: of('input_tokens') + cachedTokens + cacheWriteTokens,
      cachedTokens,
      cacheWriteTokens,
      cacheWriteHourTokens: hourWrites(this.#first),
      outputTokens: of('output_tokens'),
      reasoningTokens: 0,
      usageIncomplete: true,
    }
  }
}

/**
 * Tokens of reasoning that `completion_tokens` excludes: xAI's chat completions count them separately, where the
 * protocol includes them, and only the total reveals that.
 */
function reasoningBeside(raw: unknown, reasoning: number | undefined): number {
  const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
    numberOf(raw, name),
  )
  if (!reasoning || prompt === undefined || completion === undefined) return 0
  return total === prompt + completion + reasoning ? reasoning : 0
}

/** Maximum kinds of cache writes to read. */
const MAX_DETAILS = 20

/**
 * Tokens written to a cache for an hour (Anthropic: https://platform.claude.com/docs/en/build-with-claude/prompt-caching, Bedrock:
 * `CacheDetail` of https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html).
 */
function hourWrites(raw: unknown): number {
  const own = countOf(numberOf(propertyOf(raw, 'cache_creation'), 'ephemeral_1h_input_tokens'))
  const details = propertyOf(raw, 'cacheDetails')
  const listed = Array.isArray(details) ? details.slice(0, MAX_DETAILS) : []
  const ofHour = listed.filter((detail) => propertyOf(detail, 'ttl') === '1h')
  return ofHour.reduce((sum: number, detail) => sum + countOf(numberOf(detail, 'inputTokens')), own)
}

function numberOf(value: unknown, name: string): number | undefined {
  const found = propertyOf(value, name)
  return typeof found === 'number' ? found : undefined
}

/** Sanitizes a provider's number, because counters and columns accept only non-negative integers. */
function countOf(reported: unknown): number {
  if (typeof reported !== 'number' || !Number.isFinite(reported)) return 0
  return Math.min(Math.max(Math.round(reported), 0), MAX_TOKENS)
}
