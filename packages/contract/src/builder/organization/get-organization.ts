import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { Organization } from './organization.ts'

export const getOrganizationForBuilder = defineOperation({
  id: 'getOrganization',
  method: 'GET',
  path: ORGANIZATION_PATH,
  tag: 'Organization',
  summary: 'Get the organization',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  success: { status: 200, description: 'The organization.', body: Organization },
  errors: [],
})
