import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { UserIdText } from './user-memory.ts'

export const forgetUserOperation = defineOperation({
  id: 'forgetUser',
  method: 'DELETE',
  path: '/api/v1/memories',
  tag: 'Memories',
  summary: 'Forget a user',
  description:
    'Deletes everything that agents and teams keep about the user, and what they were about to learn. A key of a ' +
    'project deletes what its project keeps.',
  access: 'api_key',
  query: Type.Object({ user_id: UserIdText }),
  success: { status: 204, description: 'Nothing is kept about the user.', body: Type.Null() },
  errors: ['validation_error'],
})
