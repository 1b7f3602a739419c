import { AGENT_CONFIG_DEFAULTS, mergeAgentConfig, newId, ProjectId } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { UsableLlmConfiguration } from '../ports/agent-catalog.ts'
import { chainProblem, resolveChain } from './resolve-chain.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

const P = newId(ProjectId)

function configuration(
  n: number,
  options: { project?: ProjectId; isDefault?: boolean; models?: string[] } = {},
) {
  return {
    id: uuid(n),
    name: `C${n}`,
    allowUnlistedModels: false,
    projectId: options.project ?? null,
    isDefault: options.isDefault ?? false,
    createdAt: n,
    models: (options.models ?? ['m1']).map((modelId) => ({ modelId, contextLength: 1_000 * n })),
    connection: { llmConfigId: uuid(n) },
  } as unknown as UsableLlmConfiguration
}

function ownerOf(config: Record<string, unknown>, project: ProjectId | null = null) {
  const merged = mergeAgentConfig({ model: config })
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  return { projectId: project, model: merged.config.model }
}

function resolve(
  config: Record<string, unknown>,
  configurations: UsableLlmConfiguration[],
  project: ProjectId | null = null,
) {
  const resolved = resolveChain(ownerOf(config, project), configurations)
  return (
    resolved?.chain.targets.map((target) => `${target.connection.llmConfigId.at(-1)}/${target.modelId}`) ??
    null
  )
}

test('without a choice the marked default of the project wins, then the organization, then the oldest', () => {
  const oldest = configuration(1)
  const organization = configuration(2, { isDefault: true })
  const project = configuration(3, { isDefault: true, project: P })
  expect(resolve({}, [oldest, organization, project], P)).toEqual(['3/m1'])
  expect(resolve({}, [oldest, organization, project])).toEqual(['2/m1'])
  expect(resolve({}, [oldest, configuration(2)], P)).toEqual(['1/m1'])
})

test('the first model of a configuration is used if none is named, and a named one need not be listed', () => {
  const offered = configuration(1, { models: ['a', 'b'] })
  expect(resolve({ primary: { llm_config_id: uuid(1) } }, [offered])).toEqual(['1/a'])
  expect(resolve({ primary: { llm_config_id: uuid(1), model_id: 'fine-tuned' } }, [offered])).toEqual([
    '1/fine-tuned',
  ])
})

test('if no model is named, the first chat model is used: lists are in alphabetical order', () => {
  const listed = configuration(1, { models: ['babbage-002', 'dall-e-3', 'gpt-5', 'text-embedding-3-small'] })
  expect(resolve({}, [listed])).toEqual(['1/gpt-5'])
  const embeddings = configuration(1, { models: ['mistral-embed'] })
  expect(resolve({}, [embeddings, configuration(2)])).toEqual(['2/m1'])
  // There is no fallback, so the error of its provider names the model.
  expect(resolve({}, [embeddings])).toEqual(['1/mistral-embed'])
})

test('a model of a link without a configuration is sent only to a default configuration that offers it', () => {
  const [offering, other] = [configuration(1, { models: ['a', 'b'] }), configuration(2, { isDefault: true })]
  const asked = { primary: { model_id: 'b' } }
  expect(resolve(asked, [offering])).toEqual(['1/b'])
  expect(resolve(asked, [offering, other])).toBeNull()
  expect(chainProblem(ownerOf(asked), [offering, other])).toBe(
    'uses the default LLM configuration, and its model b is not a model of the LLM configuration "C2", which offers: m1',
  )
  expect(resolve({ ...asked, fallbacks: [{ llm_config_id: uuid(1) }] }, [offering, other])).toEqual(['1/a'])
  expect(resolve(asked, [offering, { ...other, allowUnlistedModels: true }])).toEqual(['2/b'])
  expect(chainProblem(ownerOf(asked), [])).toBe(
    'has no connected LLM configuration with a model that it may use',
  )
})

test('a disconnected primary leaves the chain to its fallbacks, and a chain without usable links is null', () => {
  const chain = { primary: { llm_config_id: uuid(1) }, fallbacks: [{ llm_config_id: uuid(2) }] }
  expect(resolve(chain, [configuration(2)])).toEqual(['2/m1'])
  expect(resolve(chain, [])).toBeNull()
})

test('an agent of a project never uses the configuration of another project', () => {
  const foreign = configuration(1, { project: newId(ProjectId) })
  expect(resolve({ primary: { llm_config_id: uuid(1) } }, [foreign], P)).toBeNull()
  expect(resolve({}, [foreign], P)).toBeNull()
  expect(resolve({}, [foreign])).toEqual(['1/m1'])
})

test('every parameter belongs to its own link of the chain', () => {
  const merged = mergeAgentConfig({
    model: {
      primary: { llm_config_id: uuid(1), temperature: 0.1, reasoning_effort: 'high' },
      fallbacks: [{ llm_config_id: uuid(1), model_id: 'b', on: ['timeout'] }],
    },
  })
  if (!merged.ok) throw new Error('unexpected')
  const owner = { projectId: null, model: merged.config.model }
  const targets = resolveChain(owner, [configuration(1)])?.chain.targets
  expect(
    targets?.map((target) => [target.parameters.temperature, target.parameters.reasoningEffort, target.on]),
  ).toEqual([
    [0.1, 'high', []],
    [null, null, ['timeout']],
  ])
  expect(AGENT_CONFIG_DEFAULTS.model.fallbacks).toEqual([])
})

test('every setting of a link and of the chain reaches the models, each link with its own', () => {
  const primary = {
    ...{ temperature: 0.5, top_p: 0.9, max_output_tokens: 50, seed: 7, stop_sequences: ['END'] },
    ...{ reasoning_effort: 'low', provider_options: { user: 'x' } },
  }
  const retry = {
    ...{ attempts_per_model: 3, first_token_timeout_ms: 1_001 },
    ...{ idle_timeout_ms: 1_002, call_timeout_ms: 1_003 },
  }
  const fallbacks = [{ seed: 8, on: ['rate_limit'] }]
  const model = { primary, fallbacks, retry, mid_stream: 'restart' }
  const chain = resolveChain(ownerOf(model), [configuration(1)])?.chain
  expect(chain).toMatchObject({
    targets: [
      {
        parameters: {
          ...{ temperature: 0.5, topP: 0.9, maxOutputTokens: 50, seed: 7, stopSequences: ['END'] },
          ...{ reasoningEffort: 'low', providerOptions: { user: 'x' } },
        },
      },
      {
        on: ['rate_limit'],
        parameters: { temperature: null, topP: null, seed: 8, stopSequences: null, reasoningEffort: null },
      },
    ],
    retry: {
      ...{ attemptsPerModel: 3, firstTokenTimeoutMs: 1_001 },
      ...{ idleTimeoutMs: 1_002, callTimeoutMs: 1_003 },
    },
    midStream: 'restart',
  })
})
