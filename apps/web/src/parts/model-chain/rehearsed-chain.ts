import { defaultModel, type JsonObject, propertyOf } from '@troupe/contract'
import { type ConfigForm, listAt } from '../config-form/config-form.ts'
import type { ChainStop } from './failover-path.ts'
import { chosenConfiguration, type LlmChoices, modelName } from './llm-choices.ts'

const ALL = ['error', 'rate_limit', 'timeout', 'context_overflow']

/** The models of a chain in the form, the primary one first. */
export function rehearsedChain(form: ConfigForm, at: string, choices: LlmChoices): ChainStop[] {
  return [form.value(`${at}.primary`), ...listAt(form, `${at}.fallbacks`)].map((link, index) =>
    stopOf(link, choices, index === 0 ? [] : null),
  )
}

/** Whether an earlier model of the chain is the same, so that it fails for the same reasons. `index`: 0 is the primary one. */
export function isRepeated(
  form: Pick<ConfigForm, 'value'>,
  at: string,
  index: number,
  choices: LlmChoices,
): boolean {
  const links = [form.value(`${at}.primary`), ...listAt(form, `${at}.fallbacks`)]
  const keys = links.map((link) => modelKey(link, choices))
  return keys.indexOf(keys[index] ?? '') < index
}

/**
 * An initial fallback: the first model of a configuration that the chain lacks, or else another model of one that it has. If all
 * are in it, the default.
 */
export function nextFallback(form: Pick<ConfigForm, 'value'>, at: string, choices: LlmChoices): JsonObject {
  const links = [form.value(`${at}.primary`), ...listAt(form, `${at}.fallbacks`)]
  const taken = new Set(links.map((link) => modelKey(link, choices)))
  const usable = choices.all.filter(({ status }) => status === 'connected')
  const firsts: JsonObject[] = usable.map(({ llmConfigId }) => ({
    llm_config_id: llmConfigId,
    model_id: null,
  }))
  const others: JsonObject[] = usable.flatMap(({ llmConfigId, models }) =>
    models.map(({ modelId }) => ({ llm_config_id: llmConfigId, model_id: modelId })),
  )
  const isFree = (link: JsonObject) => !taken.has(modelKey(link, choices))
  return [...firsts, ...others].find(isFree) ?? { llm_config_id: null, model_id: null }
}

/** The called model, with the defaults of unset values. */
function modelKey(link: unknown, choices: LlmChoices): string {
  const id = propertyOf(link, 'llm_config_id')
  const configuration = chosenConfiguration(choices, typeof id === 'string' ? id : null)
  const modelId = propertyOf(link, 'model_id') ?? defaultModel(configuration?.models ?? [])?.modelId
  return JSON.stringify([configuration?.llmConfigId ?? id, modelId ?? null])
}

/** The behaviour of the chain when a stream stops after its first token. */
export function midStreamOf(form: ConfigForm, at: string): 'fail' | 'restart' {
  return form.value(`${at}.mid_stream`) === 'restart' ? 'restart' : 'fail'
}

function stopOf(link: unknown, choices: LlmChoices, on: readonly string[] | null): ChainStop {
  const id = propertyOf(link, 'llm_config_id')
  const modelId = propertyOf(link, 'model_id')
  const chosen = typeof modelId === 'string' ? modelId : null
  const configuration = chosenConfiguration(choices, typeof id === 'string' ? id : null)
  const models = configuration?.models ?? []
  const model = chosen === null ? defaultModel(models) : models.find((one) => one.modelId === chosen)
  const stored = propertyOf(link, 'on')
  return {
    name: modelName(configuration, chosen),
    on: on ?? (Array.isArray(stored) ? stored.map(String) : ALL),
    contextLength: model?.contextLength ?? null,
  }
}
