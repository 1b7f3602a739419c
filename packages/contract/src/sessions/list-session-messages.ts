import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { SessionMessage, SessionParams, sessionEntity } from './session.ts'

export const listSessionMessagesOperation = defineOperation({
  id: 'listSessionMessages',
  method: 'GET',
  path: '/api/v1/sessions/{sessionId}/messages',
  tag: 'Sessions',
  summary: 'List the messages of a session',
  description: 'Of its ended runs, with their tool calls. Runs of members are not among them.',
  access: 'api_key',
  params: SessionParams,
  query: Type.Object({ ...pageQuery, ...sessionEntity }),
  success: { status: 200, description: 'One page of messages, oldest first.', body: Page(SessionMessage) },
  errors: ['validation_error', 'forbidden', 'session_not_found'],
})
