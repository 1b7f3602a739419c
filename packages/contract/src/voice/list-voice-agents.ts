import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { ProjectId } from '../schema/ids.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { VoiceAgent } from './voice-agent.ts'

export const listVoiceAgentsOperation = defineOperation({
  id: 'listVoiceAgents',
  method: 'GET',
  path: '/api/v1/voice-agents',
  tag: 'Voice',
  summary: 'List voice agents',
  description: 'Agents that have a voice configuration and are not archived.',
  access: 'api_key',
  requestsPerMinute: 100,
  query: Type.Object({
    ...pageQuery,
    projectRefId: Type.Optional(
      Uuid<ProjectId>({
        description: 'Only this project. Ignored for project-scoped keys, which see their own.',
      }),
    ),
  }),
  success: { status: 200, description: 'One page of voice agents, newest first.', body: Page(VoiceAgent) },
  errors: ['validation_error', 'project_not_found'],
})
