import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Session, SessionParams, sessionEntity } from './session.ts'

export const getSessionOperation = defineOperation({
  id: 'getSession',
  method: 'GET',
  path: '/api/v1/sessions/{sessionId}',
  tag: 'Sessions',
  summary: 'Read a session',
  description: 'By the `sessionId` of a result. Where several agents or teams have it, name one.',
  access: 'api_key',
  params: SessionParams,
  query: Type.Object(sessionEntity),
  success: { status: 200, description: 'The session.', body: Session },
  errors: ['validation_error', 'forbidden', 'session_not_found'],
})
