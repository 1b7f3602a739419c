import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import {
  ConnectionBody,
  ConnectionTest,
  CreateLlmConfigurationBody,
  LlmConfiguration,
  LlmConfigurationPage,
  ProviderForm,
  ProviderModel,
  TestLlmConfigurationBody,
  UpdateLlmConfigurationBody,
} from './llm-configuration.ts'

const PATH = `${ORGANIZATION_PATH}/llm-configurations` as const
const ONE = `${PATH}/{llmConfigId}` as const
const params = Type.Object({ ...organizationParams, llmConfigId: Type.String() })
const organization = Type.Object(organizationParams)
const TAG = 'LLM configurations'

export const listProvidersForBuilder = defineOperation({
  id: 'listProviders',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/providers`,
  tag: TAG,
  summary: 'List the model providers, with the fields of a connection',
  access: 'builder',
  needs: 'read',
  params: organization,
  success: {
    status: 200,
    description: 'Every provider.',
    body: Type.Object({ data: Type.Array(ProviderForm) }),
  },
  errors: [],
})

export const listLlmConfigurationsForBuilder = defineOperation({
  id: 'listLlmConfigurations',
  method: 'GET',
  path: PATH,
  tag: TAG,
  summary: 'List LLM configurations',
  access: 'builder',
  needs: 'read',
  params: organization,
  query: Type.Object(configurationQuery),
  success: { status: 200, description: 'One page of configurations.', body: LlmConfigurationPage },
  errors: ['validation_error'],
})

export const getLlmConfigurationForBuilder = defineOperation({
  id: 'getLlmConfiguration',
  method: 'GET',
  path: ONE,
  tag: TAG,
  summary: 'Get an LLM configuration',
  access: 'builder',
  needs: 'read',
  params,
  success: { status: 200, description: 'The configuration.', body: LlmConfiguration },
  errors: ['llm_configuration_not_found'],
})

export const createLlmConfigurationForBuilder = defineOperation({
  id: 'createLlmConfiguration',
  method: 'POST',
  path: PATH,
  tag: TAG,
  summary: 'Create an LLM configuration',
  access: 'builder',
  needs: 'manage',
  params: organization,
  body: CreateLlmConfigurationBody,
  success: {
    status: 201,
    description: 'The configuration.',
    body: LlmConfiguration,
    unchanged: 'The configuration with this id exists.',
  },
  errors: ['validation_error', 'project_not_found', 'slug_taken', 'id_taken'],
})

export const updateLlmConfigurationForBuilder = defineOperation({
  id: 'updateLlmConfiguration',
  method: 'PUT',
  path: ONE,
  tag: TAG,
  summary: 'Change an LLM configuration',
  description:
    'Stored credentials are not sent to another address: with another provider or host they must be entered again.',
  access: 'builder',
  needs: 'manage',
  params,
  body: UpdateLlmConfigurationBody,
  success: { status: 200, description: 'The configuration.', body: LlmConfiguration },
  errors: [
    'validation_error',
    'llm_configuration_not_found',
    'project_not_found',
    'version_conflict',
    'slug_taken',
  ],
})

export const deleteLlmConfigurationForBuilder = defineOperation({
  id: 'deleteLlmConfiguration',
  method: 'DELETE',
  path: ONE,
  tag: TAG,
  summary: 'Delete an LLM configuration that nothing uses',
  access: 'builder',
  needs: 'manage',
  params,
  success: { status: 204, description: 'Deleted with its credentials.', body: Type.Null() },
  errors: ['llm_configuration_not_found', 'llm_configuration_in_use'],
})

export const testLlmConfigurationForBuilder = defineOperation({
  id: 'testLlmConfiguration',
  method: 'POST',
  path: `${PATH}/test`,
  tag: TAG,
  summary: 'Call a model once, with at most 1,000 tokens',
  description: 'A failed call is also an answer: `error` has the cause and the remedy.',
  access: 'builder',
  needs: 'manage',
  params: organization,
  body: TestLlmConfigurationBody,
  success: { status: 200, description: 'The outcome of the call.', body: ConnectionTest },
  errors: ['validation_error', 'llm_configuration_not_found'],
})

export const listProviderModelsForBuilder = defineOperation({
  id: 'listProviderModels',
  method: 'POST',
  path: `${PATH}/models`,
  tag: TAG,
  summary: 'List the models that the provider offers',
  access: 'builder',
  needs: 'manage',
  params: organization,
  body: ConnectionBody,
  success: {
    status: 200,
    description: 'As the provider lists them.',
    body: Type.Object({ models: Type.Array(ProviderModel) }),
  },
  errors: ['validation_error', 'llm_configuration_not_found', 'upstream_error'],
})
