import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelTarget } from '@troupe/agents/ports'
import { LRUCache } from 'lru-cache'
import { modelKey } from './model-key.ts'
import type { SettableParameter } from './refused-parameter.ts'

type Options = LanguageModelV4CallOptions

/**
 * The parameters without which a request may be repeated, and how. The others change the cost or the end of an answer,
 * so their refusal is an error that names them. A limit of output tokens is never dropped: it is sent under the name
 * that reasoning models of the chat protocol accept.
 */
const REMEDIES: Partial<
  Record<SettableParameter, (options: Options, target: ModelTarget) => Options | null>
> = {
  temperature: ({ temperature, ...rest }) => (temperature === undefined ? null : rest),
  top_p: ({ topP, ...rest }) => (topP === undefined ? null : rest),
  seed: ({ seed, ...rest }) => (seed === undefined ? null : rest),
  max_tokens: ({ maxOutputTokens, ...rest }, { connection }) => {
    const option = COMPLETION_TOKENS[connection.providerId]
    if (maxOutputTokens === undefined || option === undefined) return null
    const [key, name] = option
    const own = { ...rest.providerOptions?.[key], [name]: maxOutputTokens }
    return { ...rest, providerOptions: { ...rest.providerOptions, [key]: own } }
  },
}

/** The option of each provider package that is sent as `max_completion_tokens`: its namespace and its name. */
const COMPLETION_TOKENS: Partial<
  Record<ModelTarget['connection']['providerId'], readonly [namespace: string, name: string]>
> = {
  'openai-compatible': ['openaiCompatible', 'max_completion_tokens'],
  openai: ['openai', 'maxCompletionTokens'],
  // Chat models of the Azure package read the options of OpenAI.
  'azure-openai': ['openai', 'maxCompletionTokens'],
}

const MAX_MODELS = 1_000
const REMEMBERED_MS = 60 * 60_000

/** The parameters that models have refused in the last hour, in this process. An edited configuration starts with all of them. */
export class ParameterRefusals {
  readonly #refused = new LRUCache<string, Set<SettableParameter>>({ max: MAX_MODELS, ttl: REMEMBERED_MS })

  /** The options as the model accepts them, as far as its refusals are known. */
  applyTo(options: Options, target: ModelTarget): Options {
    let accepted = options
    for (const parameter of this.#refused.get(modelKey(target)) ?? []) {
      accepted = REMEDIES[parameter]?.(accepted, target) ?? accepted
    }
    return accepted
  }

  /** Whether to repeat the request, because the known refusal of this parameter changes it. */
  learn(target: ModelTarget, parameter: SettableParameter | null, sent: Options): boolean {
    if (parameter === null || (REMEDIES[parameter]?.(sent, target) ?? null) === null) return false
    const key = modelKey(target)
    const known = this.#refused.get(key) ?? new Set()
    this.#refused.set(key, known.add(parameter))
    return true
  }
}
