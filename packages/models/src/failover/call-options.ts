import type { JSONObject, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelParameters, ModelTarget } from '@troupe/agents/ports'
import { type ProviderId, propertyOf, withoutReservedOptions } from '@troupe/contract'
import { offeredSchema } from '@troupe/json-schema'
import { PROVIDERS } from '../registry/providers.ts'
import { promptFor } from './prompt-for-target.ts'

type Sampling = Pick<
  LanguageModelV4CallOptions,
  'temperature' | 'topP' | 'maxOutputTokens' | 'seed' | 'stopSequences' | 'reasoning'
>

/**
 * The call options for one target: the caller's prompt, tools, tool choice and response format with the target's
 * parameters. Parameters set by the caller take precedence (decisions run at temperature 0), except that the smaller of
 * two output limits applies. Without `withState`, the target does not get its state from earlier steps back.
 */
export function callOptionsFor(
  target: ModelTarget,
  options: LanguageModelV4CallOptions,
  withState = true,
): LanguageModelV4CallOptions {
  const { prompt, hasForeignCalls } = promptFor(target, options.prompt, withState)
  const own = samplingOf(target.parameters)
  const { connection } = target
  const provider = PROVIDERS[connection.providerId]
  const optionsKey = provider.optionsKey(connection.settings)
  const merged: LanguageModelV4CallOptions = { ...own, ...withOfferedSchemas(definedOnly(options)), prompt }
  if (own.maxOutputTokens !== undefined && options.maxOutputTokens !== undefined) {
    merged.maxOutputTokens = Math.min(own.maxOutputTokens, options.maxOutputTokens)
  }
  const providerOptions: JSONObject = {
    ...provider.defaultOptions(connection.settings),
    ...(withoutReservedOptions(target.parameters.providerOptions) as JSONObject),
    ...options.providerOptions?.[optionsKey],
  }
  if (options.providerOptions || Object.keys(providerOptions).length > 0) {
    merged.providerOptions = { ...options.providerOptions, [optionsKey]: providerOptions }
  }
  return hasForeignCalls ? withoutThinking(target, merged) : merged
}

/** Anthropic's setting of thinking, by the provider of its models. */
const THINKING: Partial<Record<ProviderId, { key: string; setting: string }>> = {
  anthropic: { key: 'anthropic', setting: 'thinking' },
  'amazon-bedrock': { key: 'amazonBedrock', setting: 'reasoningConfig' },
}

/**
 * Disables Claude's thinking: with it, a turn that has called a tool must start with a thought, which another
 * provider's steps do not have (https://platform.claude.com/docs/en/build-with-claude/extended-thinking, section
 * Toggling thinking modes).
 */
function withoutThinking(
  { connection }: ModelTarget,
  options: LanguageModelV4CallOptions,
): LanguageModelV4CallOptions {
  const thinking = THINKING[connection.providerId]
  if (!thinking) return options
  const { key, setting } = thinking
  const { reasoning, ...rest } = options
  const own = options.providerOptions?.[key]
  const isConfigured = propertyOf(own?.[setting], 'type') === 'enabled'
  if (!isConfigured && (reasoning === undefined || reasoning === 'none')) return options
  const off = { ...own, [setting]: { type: 'disabled' } }
  return { ...rest, providerOptions: { ...options.providerOptions, [key]: off } }
}

/**
 * Every schema sent to a provider passes here, regardless of its author: an unsupported one would make the provider refuse the
 * whole request.
 */
function withOfferedSchemas(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { tools, responseFormat } = options
  const offered = tools?.map((tool) =>
    tool.type === 'function' ? { ...tool, inputSchema: offeredSchema(tool.inputSchema) } : tool,
  )
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined
  return {
    ...options,
    ...(offered && { tools: offered }),
    ...(schema && {
      responseFormat: { ...responseFormat, type: 'json', schema: offeredSchema(schema, 'answer') },
    }),
  }
}

function samplingOf(parameters: ModelParameters): Sampling {
  const sampling: Sampling = {}
  if (parameters.temperature !== null) sampling.temperature = parameters.temperature
  if (parameters.topP !== null) sampling.topP = parameters.topP
  if (parameters.maxOutputTokens !== null) sampling.maxOutputTokens = parameters.maxOutputTokens
  if (parameters.seed !== null) sampling.seed = parameters.seed
  if (parameters.stopSequences !== null) sampling.stopSequences = parameters.stopSequences
  if (parameters.reasoningEffort !== null) sampling.reasoning = parameters.reasoningEffort
  return sampling
}

/** `streamText` passes every option, most of them undefined; those must not override the target's values. */
function definedOnly(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const defined: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) if (value !== undefined) defined[name] = value
  return defined as LanguageModelV4CallOptions
}
