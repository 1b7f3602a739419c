import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import {
  CreateVoiceConfigurationBody,
  SpokenTest,
  TestVoiceConfigurationBody,
  UpdateVoiceConfigurationBody,
  VoiceConfiguration,
  VoiceConfigurationPage,
} from './voice-configuration.ts'

const PATH = `${ORGANIZATION_PATH}/voice-configurations` as const
const ONE = `${PATH}/{voiceConfigId}` as const
const organization = Type.Object(organizationParams)
const params = Type.Object({ ...organizationParams, voiceConfigId: Type.String() })
const reads = { tag: 'Voice', access: 'builder', needs: 'read' } as const
const changes = { tag: 'Voice', access: 'builder', needs: 'manage' } as const
const theConfiguration = {
  status: 200,
  description: 'The voice configuration.',
  body: VoiceConfiguration,
} as const

/** Speech settings of agents. */
export const VOICE_CONFIGURATION_OPERATIONS = {
  listVoiceConfigurations: defineOperation({
    ...{ id: 'listVoiceConfigurations', method: 'GET', path: PATH, ...reads },
    summary: 'List how agents hear and speak',
    params: organization,
    query: Type.Object(configurationQuery),
    success: { status: 200, description: 'One page of voice configurations.', body: VoiceConfigurationPage },
    errors: ['validation_error'],
  }),
  getVoiceConfiguration: defineOperation({
    ...{ id: 'getVoiceConfiguration', method: 'GET', path: ONE, ...reads },
    summary: 'Get a voice configuration',
    params,
    success: theConfiguration,
    errors: ['voice_configuration_not_found'],
  }),
  createVoiceConfiguration: defineOperation({
    ...{ id: 'createVoiceConfiguration', method: 'POST', path: PATH, ...changes },
    summary: 'Give an agent a voice',
    description: 'An agent has at most one voice configuration; it belongs to the project of the agent.',
    params: organization,
    body: CreateVoiceConfigurationBody,
    success: { ...theConfiguration, status: 201 },
    errors: ['validation_error', 'agent_not_found', 'agent_archived', 'in_use', 'slug_taken', 'id_taken'],
  }),
  updateVoiceConfiguration: defineOperation({
    ...{ id: 'updateVoiceConfiguration', method: 'PUT', path: ONE, ...changes },
    summary: 'Change a voice configuration',
    description: 'Sessions and calls that start afterwards use it.',
    params,
    body: UpdateVoiceConfigurationBody,
    success: theConfiguration,
    errors: [
      'validation_error',
      'voice_configuration_not_found',
      'agent_not_found',
      'agent_archived',
      'in_use',
      'version_conflict',
      'slug_taken',
    ],
  }),
  testVoiceConfiguration: defineOperation({
    ...{ id: 'testVoiceConfiguration', method: 'POST', path: `${PATH}/test`, ...changes },
    summary: 'Speak one sentence with a stored or unsaved voice',
    description:
      'The server calls the provider itself, so no media server and no worker is needed. Fallbacks are not tried. Voices that are programs of the server are tested two at a time.',
    params: organization,
    body: TestVoiceConfigurationBody,
    success: { status: 200, description: 'The spoken sentence.', body: SpokenTest },
    errors: [
      'validation_error',
      'voice_configuration_not_found',
      'agent_not_found',
      'concurrency_limit_reached',
      'upstream_error',
    ],
  }),
  deleteVoiceConfiguration: defineOperation({
    ...{ id: 'deleteVoiceConfiguration', method: 'DELETE', path: ONE, ...changes },
    summary: 'Delete a voice configuration that no phone number uses',
    params,
    success: {
      status: 204,
      description: 'Deleted. The agent accepts no more sessions or calls.',
      body: Type.Null(),
    },
    errors: ['voice_configuration_not_found', 'in_use'],
  }),
} as const
