import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const SEARCHED_KINDS = [
  'agent',
  'team',
  'workflow',
  'llm_configuration',
  'knowledge_base',
  'skill',
  'credential',
  'mcp_server',
  'voice_configuration',
  'phone_trunk',
  'project',
  'api_key',
  'agent_run',
  'team_run',
  'workflow_run',
  'review',
  'agent_version',
  'team_version',
  'workflow_version',
] as const

export const searchForBuilder = defineOperation({
  id: 'search',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/search`,
  tag: 'Search',
  summary: 'Find anything by its name or id',
  description:
    'Part of a name or slug, or the beginning of an id: at least 8 of its digits for runs, reviews and versions.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 200 }) }),
  success: {
    status: 200,
    description: 'At most 20, best first.',
    body: Type.Object({
      data: Type.Array(
        Type.Object({
          kind: Choice(SEARCHED_KINDS),
          id: Uuid(),
          name: Type.String({
            description: 'The name of the parent of a run, a version or a voice.',
          }),
          detail: Nullable(Type.String({ description: 'Its status or number.' })),
          projectId: Nullable(Uuid<ProjectId>()),
          parentId: Nullable(Uuid({ description: 'The parent of a run, a review or a version.' })),
        }),
      ),
    }),
  },
  errors: ['validation_error'],
})
