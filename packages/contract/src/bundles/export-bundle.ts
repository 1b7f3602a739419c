import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'

export const exportBundleOperation = defineOperation({
  id: 'exportBundle',
  method: 'GET',
  path: '/api/builder/bundles',
  tag: 'Operator',
  summary: 'Export everything as a bundle, without secrets',
  access: 'operator',
  query: Type.Object({
    organization: Type.Optional(Type.String({ description: 'Slug; every organization when omitted.' })),
  }),
  success: {
    status: 200,
    description: 'The bundle as YAML.',
    body: Type.String({ documentedBy: 'Bundle' }),
    type: 'application/yaml',
  },
  errors: ['organization_not_found'],
})
