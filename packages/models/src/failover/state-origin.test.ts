import type { ModelTarget } from '@troupe/agents/ports'
import { LlmConfigId, newId } from '@troupe/contract'
import { expect, test, vi } from 'vitest'
import { originOf } from './state-origin.ts'

const target: ModelTarget = {
  connection: {
    llmConfigId: newId(LlmConfigId),
    version: 1,
    providerId: 'openai-compatible',
    baseUrl: 'https://models.test/v1',
    credentials: {},
    settings: {},
  },
  modelId: 'first',
  contextLength: null,
  on: [],
  parameters: {
    temperature: null,
    topP: null,
    maxOutputTokens: null,
    seed: null,
    stopSequences: null,
    reasoningEffort: null,
    providerOptions: {},
  },
}

test('the origin of a connection and model is calculated once, and another model or connection has its own', () => {
  const parse = vi.spyOn(URL, 'parse')
  const second = { ...target, modelId: 'second' }
  const edited = { ...target, connection: { ...target.connection, baseUrl: 'https://other.test/v1' } }
  const origin = originOf(target)
  expect(originOf({ ...target })).toBe(origin)
  expect(originOf(target)).toBe(origin)
  expect(parse).toHaveBeenCalledTimes(1)
  const others = [originOf(second), originOf(edited)]
  expect(new Set([origin, ...others]).size).toBe(3)
  expect([originOf(target), originOf(second), originOf(edited)]).toEqual([origin, ...others])
  parse.mockRestore()
})
