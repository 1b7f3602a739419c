import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { StreamEvent } from '../../runs/events.ts'
import { TeamStreamBody } from '../../runs/run-body.ts'
import { CancelledRun, ResumeQuery } from '../../runs/run-params.ts'
import { Uuid } from '../../schema/formats.ts'
import type { RunId, TeamVersionId } from '../../schema/ids.ts'
import { playgroundDetail } from '../operation/playground-detail.ts'
import { TEAM_PATH, teamParams } from './team.ts'
import { TeamDraft } from './team-draft.ts'

const PLAYGROUND_PATH = `${TEAM_PATH}/playground` as const
const runParams = { ...teamParams, runId: Uuid<RunId>() }

/** The body of a run in the playground. */
export const PlayTeamBody = Type.Object({
  ...TeamStreamBody.properties,
  versionId: Type.Optional(
    Uuid<TeamVersionId>({ description: 'Runs this version; absent: the current one.' }),
  ),
  draft: Type.Optional(TeamDraft),
})
export type PlayTeamBody = Static<typeof PlayTeamBody>

export const playTeamForBuilder = defineOperation({
  id: 'playTeam',
  method: 'POST',
  path: PLAYGROUND_PATH,
  tag: 'Teams',
  summary: 'Try a team, one of its versions, or an unsaved draft',
  description:
    'The events of a streaming run. The configuration is stored with the run, so that its trace shows it; runs, sessions and drafts of the playground are kept for seven days and appear in no list of the public API.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(teamParams),
  query: Type.Object(playgroundDetail),
  body: PlayTeamBody,
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: [
    'validation_error',
    'team_not_found',
    'version_not_found',
    'llm_configuration_not_found',
    'model_price_missing',
    'budget_exceeded',
    'bad_gateway',
  ],
})

export const resumeTeamPlaygroundForBuilder = defineOperation({
  id: 'resumeTeamPlayground',
  method: 'GET',
  path: `${PLAYGROUND_PATH}/{runId}/stream`,
  tag: 'Teams',
  summary: 'Continue reading the events of a run in the playground',
  access: 'builder',
  needs: 'build',
  params: Type.Object(runParams),
  query: Type.Object({ ...ResumeQuery.properties, ...playgroundDetail }),
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: ['validation_error', 'run_not_found'],
})

export const cancelTeamPlaygroundForBuilder = defineOperation({
  id: 'cancelTeamPlayground',
  method: 'DELETE',
  path: `${PLAYGROUND_PATH}/{runId}`,
  tag: 'Teams',
  summary: 'Stop a run in the playground',
  access: 'builder',
  needs: 'build',
  params: Type.Object(runParams),
  success: { status: 200, description: 'Whether this call stopped the run.', body: CancelledRun },
  errors: ['run_not_found'],
})
