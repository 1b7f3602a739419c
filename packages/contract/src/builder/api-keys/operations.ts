import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { IsoTimestamp } from '../../schema/formats.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import {
  ApiKey,
  ApiKeyPage,
  CreateApiKeyBody,
  NewApiKey,
  RotateApiKeyBody,
  UpdateApiKeyBody,
} from './api-key.ts'

const PATH = `${ORGANIZATION_PATH}/api-keys` as const
const params = Type.Object({ ...organizationParams, apiKeyId: Type.String() })

export const listApiKeysForBuilder = defineOperation({
  id: 'listApiKeys',
  method: 'GET',
  path: PATH,
  tag: 'API keys',
  summary: 'List API keys',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
  query: Type.Object(configurationQuery),
  success: { status: 200, description: 'One page of keys, revoked ones included.', body: ApiKeyPage },
  errors: ['validation_error'],
})

export const createApiKeyForBuilder = defineOperation({
  id: 'createApiKey',
  method: 'POST',
  path: PATH,
  tag: 'API keys',
  summary: 'Create an API key',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
  body: CreateApiKeyBody,
  success: {
    status: 201,
    description: 'The key with its secret.',
    body: NewApiKey,
    unchanged: 'The key with this id exists; its secret is not shown again.',
  },
  errors: ['validation_error', 'project_not_found', 'id_taken'],
})

export const updateApiKeyForBuilder = defineOperation({
  id: 'updateApiKey',
  method: 'PUT',
  path: `${PATH}/{apiKeyId}`,
  tag: 'API keys',
  summary: 'Change the name, the limit or the end of an API key',
  access: 'builder',
  needs: 'manage',
  params,
  body: UpdateApiKeyBody,
  success: { status: 200, description: 'The key.', body: ApiKey },
  errors: ['validation_error', 'api_key_not_found', 'invalid_state'],
})

export const revokeApiKeyForBuilder = defineOperation({
  id: 'revokeApiKey',
  method: 'POST',
  path: `${PATH}/{apiKeyId}/revoke`,
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'Its next request is 401. Revoking again changes nothing.',
  access: 'builder',
  needs: 'manage',
  params,
  success: { status: 200, description: 'The key.', body: ApiKey },
  errors: ['api_key_not_found'],
})

export const rotateApiKeyForBuilder = defineOperation({
  id: 'rotateApiKey',
  method: 'POST',
  path: `${PATH}/{apiKeyId}/rotate`,
  tag: 'API keys',
  summary: 'Replace an API key',
  description:
    'A new key takes the name, the project and the limit; both work until the overlap ends. The new key ends at `expiresAt`; if omitted, it gets the lifetime of the old key, starting now.',
  access: 'builder',
  needs: 'manage',
  params,
  body: RotateApiKeyBody,
  bodyOptional: true,
  success: {
    status: 201,
    description: 'The new key with its secret.',
    body: Type.Object({
      apiKey: ApiKey,
      secret: Type.String({ description: 'Shown only here.' }),
      previousExpiresAt: IsoTimestamp({ description: 'When the old key ends.' }),
    }),
  },
  errors: ['validation_error', 'api_key_not_found', 'invalid_state'],
})
