import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Choice } from '../schema/choice.ts'
import { Uuid } from '../schema/formats.ts'
import type { ProjectId } from '../schema/ids.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { AGENT_STATUSES, Agent } from './agent.ts'

export const listAgentsOperation = defineOperation({
  id: 'listAgents',
  method: 'GET',
  path: '/api/v1/agents',
  tag: 'Agents',
  summary: 'List agents',
  access: 'api_key',
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(Choice(AGENT_STATUSES)),
    project_ref_id: Type.Optional(
      Uuid<ProjectId>({
        description: 'Only this project. Ignored for project-scoped keys, which see their own.',
      }),
    ),
  }),
  success: { status: 200, description: 'One page of agents, newest first.', body: Page(Agent) },
  errors: ['validation_error', 'project_not_found'],
})
