import { type AgentConfig, isUuid, mergeAgentConfig } from '@troupe/contract'
import type { ConfigProblem, ResourceReference } from '@troupe/graph'
import { Type } from 'typebox'
import { isObject } from './fill-defaults.ts'
import { blockingProblem } from './problems.ts'

/** `model` as in the config of an agent; null and absent keys use the defaults. `modelProblems` checks its contents. */
export const ModelField = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: 100,
  default: {},
  title: 'Model',
  description: 'The model that answers, and its fallbacks.',
  form: { control: 'model' },
})

/** Every failure of a model chain, by the rules of an agent's config. */
export function modelProblems({ model }: Record<string, unknown>): ConfigProblem[] {
  if (!isObject(model) || Object.keys(model).length === 0) return []
  const merged = mergeAgentConfig({ model })
  if (merged.ok) return []
  return merged.errors.map(({ path, message }) => blockingProblem(path.replace(/^config\./, ''), message))
}

/** The complete model chain of a config that `modelProblems` accepts. */
export function modelOf(model: Record<string, unknown>): AgentConfig['model'] {
  const merged = mergeAgentConfig({ model })
  if (!merged.ok) throw new TypeError('the model was not checked')
  return merged.config.model
}

/** The LLM configurations of a model chain, and the default one for each link without one. */
export function modelReferences({ model }: Record<string, unknown>): ResourceReference[] {
  const chain = isObject(model) ? model : {}
  const fallbacks = Array.isArray(chain.fallbacks) ? chain.fallbacks : []
  const members: [string, unknown][] = [
    ['model.primary', chain.primary ?? {}],
    ...fallbacks.map((fallback, index): [string, unknown] => [`model.fallbacks.${index}`, fallback]),
  ]
  return members.flatMap(([path, member]): ResourceReference[] => {
    if (!isObject(member)) return []
    const { llm_config_id: named, model_id: model } = member
    const asked = typeof model === 'string' ? { model: { id: model, path: `${path}.model_id` } } : {}
    const link = { kind: 'llm_configuration', path: `${path}.llm_config_id`, ...asked } as const
    if (isUuid(named)) return [{ ...link, id: named }]
    return named == null ? [{ ...link, id: null }] : []
  })
}
