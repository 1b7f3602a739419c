import type { ModelParameters } from '@troupe/agents/ports'
import type { ModelParameterName, ProviderId } from '@troupe/contract'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelsForTest, streamText, targetOf } from '../testing/open-chain.ts'
import { unusedParameters } from './provider-descriptions.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

const VALUES: Record<ModelParameterName, Partial<ModelParameters>> = {
  temperature: { temperature: 0.3 },
  top_p: { topP: 0.4 },
  max_output_tokens: { maxOutputTokens: 123 },
  seed: { seed: 7 },
  stop_sequences: { stopSequences: ['END'] },
  reasoning_effort: { reasoningEffort: 'low' },
}
const NAMES = Object.keys(VALUES) as ModelParameterName[]

/** A model with sampling parameters and a reasoning model, if a provider has both. */
const CONNECTIONS: readonly [ProviderId, Record<string, unknown>, readonly string[]][] = [
  ['openai', {}, ['gpt-4.1', 'gpt-5']],
  ['openai', { api: 'chat' }, ['gpt-4.1', 'gpt-5']],
  ['azure-openai', {}, ['gpt-4.1', 'gpt-5']],
  ['azure-openai', { api: 'chat' }, ['gpt-4.1', 'gpt-5']],
  ['anthropic', {}, ['claude-haiku-4-5', 'claude-opus-4-6']],
  ['google', {}, ['gemini-2.5-flash', 'gemini-3-pro-preview']],
  ['mistral', {}, ['mistral-large-latest', 'magistral-medium-latest', 'mistral-small-latest']],
  ['groq', {}, ['llama-3.3-70b-versatile', 'openai/gpt-oss-20b']],
  ['xai', {}, ['grok-3', 'grok-3-mini', 'grok-4']],
  [
    'amazon-bedrock',
    { region: 'eu-west-1' },
    ['amazon.nova-lite-v1:0', 'anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ],
  ['openai-compatible', {}, ['some-model']],
]

test.each(CONNECTIONS)(
  'a connection to %s with %o leaves out the stated parameters',
  async (providerId, settings, modelIds) => {
    /** The request to the provider, with these parameters. */
    const requestOf = async (modelId: string, parameters: Partial<ModelParameters>) => {
      server.reset()
      const target = targetOf(server.url, modelId, { parameters })
      target.connection = { ...target.connection, providerId, settings, credentials: { apiKey: 'the-key' } }
      await streamText(modelsForTest()({ targets: [target], retry: { attemptsPerModel: 1 } }).model)
      expect(server.requests).toHaveLength(1)
      return JSON.stringify(server.requests[0]?.body)
    }
    const used = new Set<ModelParameterName>()
    for (const modelId of modelIds) {
      const plain = await requestOf(modelId, {})
      for (const name of NAMES) {
        if ((await requestOf(modelId, VALUES[name])) !== plain) used.add(name)
      }
    }
    const unused = NAMES.filter((name) => !used.has(name))
    expect(unused).toEqual([...unusedParameters(providerId, settings)])
  },
  15_000,
)
