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
    'Deletes all memories of agents and teams about the user, and cancels their pending extraction. A key of a ' +
    'project deletes those of its project.',
  access: 'api_key',
  query: Type.Object({ user_id: UserIdText }),
  success: { status: 204, description: 'Nothing is kept about the user.', body: Type.Null() },
  errors: ['validation_error'],
})
