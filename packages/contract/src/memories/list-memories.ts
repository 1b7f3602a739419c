import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { AgentId } from '../schema/ids.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { UserIdText, UserMemory } from './user-memory.ts'

export const listMemoriesOperation = defineOperation({
  id: 'listMemories',
  method: 'GET',
  path: '/api/v1/memories',
  tag: 'Memories',
  summary: 'List memories about users',
  access: 'api_key',
  query: Type.Object({
    ...pageQuery,
    user_id: Type.Optional(UserIdText),
    agent_id: Type.Optional(Uuid<AgentId>()),
  }),
  success: { status: 200, description: 'One page of memories, newest first.', body: Page(UserMemory) },
  errors: ['validation_error'],
})
