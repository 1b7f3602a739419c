import { type Static, Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Choice } from '../schema/choice.ts'
import { Uuid } from '../schema/formats.ts'
import type { LlmConfigId } from '../schema/ids.ts'
import { PROVIDER_IDS } from '../schema/providers.ts'

/** A model of an LLM configuration. */
export const AvailableModel = Type.Object({
  modelId: Type.String(),
  displayName: Type.String(),
  contextLength: Type.Integer({ description: 'Tokens.' }),
  maxOutputTokens: Type.Integer({ description: 'Tokens.' }),
})
export type AvailableModel = Static<typeof AvailableModel>

/** An LLM configuration as callers see it: never with credentials. */
export const LlmProvider = Type.Object({
  id: Uuid<LlmConfigId>(),
  name: Type.String(),
  providerId: Choice(PROVIDER_IDS),
  status: Type.String({ description: '`connected`.' }),
  availableModels: Type.Array(AvailableModel),
})
export type LlmProvider = Static<typeof LlmProvider>

export const listLlmProvidersOperation = defineOperation({
  id: 'listLlmProviders',
  method: 'GET',
  path: '/api/v1/agents/llm-providers',
  tag: 'Agents',
  summary: 'List the LLM configurations that an agent may use',
  access: 'api_key',
  success: {
    status: 200,
    description: 'Every connected configuration that the key may see.',
    body: Type.Object({ data: Type.Array(LlmProvider) }),
  },
  errors: [],
})
