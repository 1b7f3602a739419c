import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { Organization, UpdateOrganizationBody } from './organization.ts'

export const updateOrganizationForBuilder = defineOperation({
  id: 'updateOrganization',
  method: 'PUT',
  path: ORGANIZATION_PATH,
  tag: 'Organization',
  summary: 'Change the name and the limits of the organization',
  description: 'Only owners may change the slug, which is part of every address of the builder.',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
  body: UpdateOrganizationBody,
  success: { status: 200, description: 'The organization.', body: Organization },
  errors: ['validation_error', 'version_conflict', 'slug_taken'],
})
