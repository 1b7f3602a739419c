import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { TeamRunBody } from '../../runs/run-body.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId, ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { TeamName } from '../../teams/team.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { TEAM_PATH, teamParams } from '../teams/team.ts'
import { TeamDraft } from '../teams/team-draft.ts'
import { ModelCallPreview } from './model-call.ts'

const { message, session_id } = TeamRunBody.properties

/** A call of a model in a run of a team. */
export const TeamCallPreview = Type.Object({
  key: Type.String({ description: '`route:0`, `member:m1:0`, `synthesis`: the step of the run.' }),
  who: Type.Object({
    role: Choice(['lead', 'member']),
    agentId: Nullable(Uuid<AgentId>()),
    name: Type.String(),
  }),
  when: Type.String({ description: 'When the call is made, as a sentence.' }),
  dependsOn: Type.Array(Type.String(), { description: 'Paths of the configuration that change this call.' }),
  ...ModelCallPreview.properties,
})
export type TeamCallPreview = Static<typeof TeamCallPreview>

/** Every call of a run of a team. */
export const TeamPrompts = Type.Object({ calls: Type.Array(TeamCallPreview) })
export type TeamPrompts = Static<typeof TeamPrompts>

const common = {
  tag: 'Teams',
  description:
    'Made by the code of a run, without one: no model is called and nothing is stored. Where a model would have answered there is a placeholder in angle quotes; every member is shown. Passages of knowledge are a placeholder, and guardrails are not applied.',
  access: 'builder',
  needs: 'build',
  success: { status: 200, description: 'The calls, in order.', body: TeamPrompts },
} as const

export const showTeamPromptsForBuilder = defineOperation({
  ...common,
  id: 'showTeamPrompts',
  method: 'POST',
  path: `${TEAM_PATH}/prompts`,
  summary: 'Show the prompts of every model of a team for a message',
  params: Type.Object(teamParams),
  body: Type.Object({ draft: Type.Optional(TeamDraft), message, sessionId: Type.Optional(session_id) }),
  errors: [
    'validation_error',
    'team_not_found',
    'llm_configuration_not_found',
    'model_price_missing',
    'bad_gateway',
  ],
})

export const showNewTeamPromptsForBuilder = defineOperation({
  ...common,
  id: 'showNewTeamPrompts',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/teams/prompts`,
  summary: 'Show the prompts of every model of an unsaved team for a message',
  params: Type.Object(organizationParams),
  body: Type.Object({
    draft: Type.Object({
      ...TeamDraft.properties,
      name: TeamName,
      projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
    }),
    message,
  }),
  errors: [
    'validation_error',
    'project_not_found',
    'llm_configuration_not_found',
    'model_price_missing',
    'bad_gateway',
  ],
})
