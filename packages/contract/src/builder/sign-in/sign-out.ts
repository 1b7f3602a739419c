import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { BUILDER_PATH } from '../operation/paths.ts'

export const signOutOfBuilder = defineOperation({
  id: 'signOut',
  method: 'DELETE',
  path: `${BUILDER_PATH}/session`,
  tag: 'Session',
  summary: 'Sign out',
  access: 'person',
  success: { status: 204, description: 'The session ended in every process.', body: Type.Null() },
  errors: [],
})
