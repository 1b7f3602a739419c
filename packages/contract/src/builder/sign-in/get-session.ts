import { defineOperation } from '../../operation/operation.ts'
import { BUILDER_PATH } from '../operation/paths.ts'
import { BuilderSession } from './session.ts'

export const getBuilderSession = defineOperation({
  id: 'getSession',
  method: 'GET',
  path: `${BUILDER_PATH}/session`,
  tag: 'Session',
  summary: 'Get the signed-in person',
  access: 'person',
  success: { status: 200, description: 'The person and their organizations.', body: BuilderSession },
  errors: [],
})
