import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { SessionParams, sessionEntity } from './session.ts'

export const deleteSessionOperation = defineOperation({
  id: 'deleteSession',
  method: 'DELETE',
  path: '/api/v1/sessions/{sessionId}',
  tag: 'Sessions',
  summary: 'Delete a session',
  description:
    'With its runs, messages, events and summaries. The usage of its model calls stays. Afterwards the same id ' +
    'starts a new session.',
  access: 'api_key',
  params: SessionParams,
  query: Type.Object(sessionEntity),
  success: { status: 204, description: 'Deleted.', body: Type.Null() },
  errors: ['validation_error', 'forbidden', 'session_not_found', 'in_use'],
})
