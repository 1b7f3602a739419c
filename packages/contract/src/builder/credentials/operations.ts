import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { CreateCredentialBody, Credential, CredentialPage, UpdateCredentialBody } from './credential.ts'

const PATH = `${ORGANIZATION_PATH}/credentials` as const
const ONE = `${PATH}/{credentialId}` as const
const TAG = 'Credentials'
const organization = Type.Object(organizationParams)
const params = Type.Object({ ...organizationParams, credentialId: Type.String() })

const listCredentialsForBuilder = defineOperation({
  id: 'listCredentials',
  method: 'GET',
  path: PATH,
  tag: TAG,
  summary: 'List the credentials of tools',
  access: 'builder',
  needs: 'read',
  params: organization,
  query: Type.Object(configurationQuery),
  success: { status: 200, description: 'One page of credentials.', body: CredentialPage },
  errors: ['validation_error'],
})

const getCredentialForBuilder = defineOperation({
  id: 'getCredential',
  method: 'GET',
  path: ONE,
  tag: TAG,
  summary: 'Get a credential',
  access: 'builder',
  needs: 'read',
  params,
  success: { status: 200, description: 'The credential.', body: Credential },
  errors: ['credential_not_found'],
})

const createCredentialForBuilder = defineOperation({
  id: 'createCredential',
  method: 'POST',
  path: PATH,
  tag: TAG,
  summary: 'Create a credential',
  access: 'builder',
  needs: 'manage',
  params: organization,
  body: CreateCredentialBody,
  success: {
    status: 201,
    description: 'The credential.',
    body: Credential,
    unchanged: 'The credential with this id exists.',
  },
  errors: ['validation_error', 'project_not_found', 'slug_taken', 'id_taken'],
})

const updateCredentialForBuilder = defineOperation({
  id: 'updateCredential',
  method: 'PUT',
  path: ONE,
  tag: TAG,
  summary: 'Change a credential',
  description: 'A stored secret is not sent to other hosts: with a new host it must be entered again.',
  access: 'builder',
  needs: 'manage',
  params,
  body: UpdateCredentialBody,
  success: { status: 200, description: 'The credential.', body: Credential },
  errors: ['validation_error', 'credential_not_found', 'project_not_found', 'version_conflict', 'slug_taken'],
})

const deleteCredentialForBuilder = defineOperation({
  id: 'deleteCredential',
  method: 'DELETE',
  path: ONE,
  tag: TAG,
  summary: 'Delete a credential that nothing uses',
  access: 'builder',
  needs: 'manage',
  params,
  success: { status: 204, description: 'Deleted with its secret.', body: Type.Null() },
  errors: ['credential_not_found', 'in_use'],
})

/** Credentials of tools. */
export const CREDENTIAL_OPERATIONS = {
  listCredentials: listCredentialsForBuilder,
  getCredential: getCredentialForBuilder,
  createCredential: createCredentialForBuilder,
  updateCredential: updateCredentialForBuilder,
  deleteCredential: deleteCredentialForBuilder,
} as const
