import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Nullable } from '../schema/nullable.ts'

export const getOrganizationLimitsOperation = defineOperation({
  id: 'getOrganizationLimits',
  method: 'GET',
  path: '/api/v1/organizations/limits',
  tag: 'Organization',
  summary: 'Read the rate limits of the organization and of the key',
  description: 'A 200 confirms that the key is valid.',
  access: 'api_key',
  success: {
    status: 200,
    description: 'The current limits.',
    body: Type.Object({
      rate_limits: Type.Object({
        org_rpm: Type.Integer({ description: 'Requests per 60-second window of the organization.' }),
        key_rpm: Nullable(Type.Integer({ description: 'null: the key has no separate limit.' })),
      }),
      file_uploads: Type.Object({
        enabled: Type.Boolean(),
        max_file_size_mb: Type.Integer(),
        max_total_size_mb: Type.Integer(),
        max_files_per_request: Type.Integer(),
        note: Type.String(),
      }),
    }),
  },
  errors: [],
})
