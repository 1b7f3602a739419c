import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { Session, sessionEntity } from './session.ts'

export const listSessionsOperation = defineOperation({
  id: 'listSessions',
  method: 'GET',
  path: '/api/v1/sessions',
  tag: 'Sessions',
  summary: 'List sessions',
  access: 'api_key',
  query: Type.Object({
    ...pageQuery,
    ...sessionEntity,
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  }),
  success: { status: 200, description: 'One page of sessions, newest first.', body: Page(Session) },
  errors: ['validation_error'],
})
