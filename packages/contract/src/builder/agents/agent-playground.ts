import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { StreamEvent } from '../../runs/events.ts'
import { AgentStreamBody } from '../../runs/run-body.ts'
import { CancelledRun, ResumeQuery } from '../../runs/run-params.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentVersionId, RunId } from '../../schema/ids.ts'
import { playgroundDetail } from '../operation/playground-detail.ts'
import { AGENT_PATH, agentParams } from './agent.ts'
import { AgentDraft } from './agent-draft.ts'

const PLAYGROUND_PATH = `${AGENT_PATH}/playground` as const
const runParams = { ...agentParams, runId: Uuid<RunId>() }

/** The body of a run in the playground. */
export const PlayAgentBody = Type.Object({
  ...AgentStreamBody.properties,
  versionId: Type.Optional(
    Uuid<AgentVersionId>({ description: 'Runs this version; absent: the current one.' }),
  ),
  draft: Type.Optional(AgentDraft),
})
export type PlayAgentBody = Static<typeof PlayAgentBody>

export const playAgentForBuilder = defineOperation({
  id: 'playAgent',
  method: 'POST',
  path: PLAYGROUND_PATH,
  tag: 'Agents',
  summary: 'Try an agent, one of its versions, or an unsaved draft',
  description:
    'The events of a streaming run. The configuration is stored with the run, so that its trace shows it; runs, sessions and drafts of the playground are kept for seven days and appear in no list of the public API.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(agentParams),
  query: Type.Object(playgroundDetail),
  body: PlayAgentBody,
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: [
    'validation_error',
    'agent_not_found',
    'version_not_found',
    'agent_archived',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
    'budget_exceeded',
    'bad_gateway',
  ],
})

export const resumeAgentPlaygroundForBuilder = defineOperation({
  id: 'resumeAgentPlayground',
  method: 'GET',
  path: `${PLAYGROUND_PATH}/{runId}/stream`,
  tag: 'Agents',
  summary: 'Continue reading the events of a run in the playground',
  access: 'builder',
  needs: 'build',
  params: Type.Object(runParams),
  query: Type.Object({ ...ResumeQuery.properties, ...playgroundDetail }),
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: ['validation_error', 'run_not_found'],
})

export const cancelAgentPlaygroundForBuilder = defineOperation({
  id: 'cancelAgentPlayground',
  method: 'DELETE',
  path: `${PLAYGROUND_PATH}/{runId}`,
  tag: 'Agents',
  summary: 'Stop a run in the playground',
  access: 'builder',
  needs: 'build',
  params: Type.Object(runParams),
  success: { status: 200, description: 'Whether this call stopped the run.', body: CancelledRun },
  errors: ['run_not_found'],
})
