import { defineOperation, Uuid } from '@troupe/contract'
import { type Static, Type } from 'typebox'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

/** An organization with its limits. */
export const Organization = Type.Object({
  organizationId: Uuid(),
  slug: Type.String(),
  name: Type.String(),
  limits: Type.Object({
    rpm: Type.Integer({ description: 'Requests per minute.' }),
    concurrentRuns: Type.Integer({ description: 'Workflow runs at the same time.' }),
    traceDays: Type.Integer({ description: 'Days that inputs and outputs of nodes are kept.' }),
    runDays: Type.Integer({ description: 'Days that workflow runs are kept.' }),
  }),
})
export type Organization = Static<typeof Organization>

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
