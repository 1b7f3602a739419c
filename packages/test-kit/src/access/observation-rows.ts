import {
  type AgentId,
  AnyRunId,
  checkedId,
  type ErrorCode,
  type IdText,
  type OrganizationId,
  propertyOf,
} from '@troupe/contract'
import type { ObservationOperationId } from '@troupe/contract/builder'
import { seedWorkflow } from '../server/seed-workflow.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { BuilderRow } from './builder-row.ts'
import { openReview, pendingApproval } from './resource-rows.ts'

/** An operation on a run of an agent. */
function ofRun(rest: string): BuilderRow {
  const path = async (server: TestServer, agentId: IdText<AgentId>, key: string) => {
    const answer = await server.call(`POST /api/v1/agents/${agentId}/run-async`, {
      key,
      body: { message: 'hi' },
    })
    return { path: `/runs/${String(propertyOf(answer.body, 'jobId'))}${rest}` }
  }
  return {
    own: (server) => path(server, server.seed.agents.organization, server.seed.keys.organization),
    foreign: {
      error: 'run_not_found',
      request: (server) =>
        path(server, server.seed.agents.otherOrganization, server.seed.keys.otherOrganization),
    },
  }
}

/** An operation on a run of a workflow. */
function ofWorkflowRun(rest: string): BuilderRow {
  const path = async ({ context, call }: TestServer, organizationId: OrganizationId, key: string) => {
    const workflowId = await seedWorkflow(context.database, { organizationId, projectId: null })
    const answer = await call(`POST /api/v1/workflows/${workflowId}/run`, { key, body: {} })
    return { path: `/runs/${String(propertyOf(answer.body, 'executionId'))}${rest}` }
  }
  return {
    own: (server) => path(server, server.seed.organizationId, server.seed.keys.organization),
    foreign: {
      error: 'run_not_found',
      request: (server) => path(server, server.seed.otherOrganizationId, server.seed.keys.otherOrganization),
    },
  }
}

/** An operation on a review or an approval, by the id that `of` creates in a place. */
function asking(
  error: ErrorCode,
  of: typeof openReview,
  path: (id: string) => string,
  body?: object,
): BuilderRow {
  const request = async (server: TestServer, place: 'organization' | 'otherOrganization') => ({
    path: path(await of(server, place)),
    ...(body ? { body } : {}),
  })
  return {
    own: (server) => request(server, 'organization'),
    foreign: { error, request: (server) => request(server, 'otherOrganization') },
  }
}

/** The prompt of a model call in a run in that place. */
async function promptOf(server: TestServer, place: 'organization' | 'otherOrganization'): Promise<string> {
  const { seed, context, call } = server
  const organizationId = place === 'organization' ? seed.organizationId : seed.otherOrganizationId
  const key = seed.keys[place]
  const { body } = await call(`POST /api/v1/agents/${seed.agents[place]}/run`, {
    key,
    body: { message: 'hi' },
  })
  const runId = checkedId(AnyRunId, String(propertyOf(body, 'runId')))
  const found = await context.database.observed.run(organizationId, runId, { nodes: 0 })
  const [first] = found && found.kind !== 'workflow' ? found.agentRun.calls : []
  return `/runs/${runId}/prompts/${first?.promptId}`
}

/** The conversation of a run in that place. */
async function sessionOf(server: TestServer, place: 'organization' | 'otherOrganization'): Promise<string> {
  const { seed, context, call } = server
  const key = seed.keys[place]
  await call(`POST /api/v1/agents/${seed.agents[place]}/run`, { key, body: { message: 'hi' } })
  const organizationId = place === 'organization' ? seed.organizationId : seed.otherOrganizationId
  const any = { entityId: null, userId: null, sessionId: null, projectId: null }
  const { rows } = await context.database.observed.sessions(organizationId, any, { after: null, limit: 1 })
  return rows[0]?.id ?? ''
}

/** Operations of signed-in users on runs. */
export const OBSERVATION_ROWS: Readonly<Record<ObservationOperationId, BuilderRow>> = {
  listRuns: { own: () => ({ path: '/runs' }) },
  getRun: ofRun(''),
  getRunPrompt: {
    own: async (server) => ({ path: await promptOf(server, 'organization') }),
    foreign: {
      error: 'run_not_found',
      request: async (server) => ({ path: await promptOf(server, 'otherOrganization') }),
    },
  },
  listRunNodes: ofWorkflowRun('/nodes'),
  getRunNode: ofWorkflowRun('/nodes/start'),
  previewRunNodes: ofWorkflowRun('/node-previews?nodes=start'),
  streamRun: ofWorkflowRun('/stream'),
  cancelRun: ofRun('/cancel'),
  pauseRun: ofWorkflowRun('/pause'),
  resumeRun: ofWorkflowRun('/resume'),
  rerun: ofRun('/rerun'),
  listRunCauses: { own: () => ({ path: '/run-causes' }) },
  runHistogram: { own: () => ({ path: '/run-histogram' }) },
  listSessions: { own: () => ({ path: '/sessions' }) },
  getRunSession: {
    own: async (server) => ({ path: `/sessions/${await sessionOf(server, 'organization')}` }),
    foreign: {
      error: 'session_not_found',
      request: async (server) => ({ path: `/sessions/${await sessionOf(server, 'otherOrganization')}` }),
    },
  },
  listVoiceSessions: { own: () => ({ path: '/voice-sessions' }) },
  listReviews: { own: () => ({ path: '/reviews' }) },
  getReview: asking('review_not_found', openReview, (id) => `/reviews/${id}`),
  decideReview: asking('review_not_found', openReview, (id) => `/reviews/${id}/decision`, {
    decision: 'approve',
    revision: 'of-the-proposed-values',
  }),
  getHome: { own: () => ({ path: '/home' }) },
  getDay: { own: () => ({ path: '/home/day' }) },
  getUsage: { own: () => ({ path: '/usage' }) },
  search: { own: () => ({ path: '/search?q=a' }) },
  // A stream does not end, so the owners' request is refused for its topic.
  streamEvents: { own: () => ({ path: '/events?topics=everything' }) },
  listApprovals: { own: () => ({ path: '/approvals' }) },
  getApproval: asking('approval_not_found', pendingApproval, (id) => `/approvals/${id}`),
  resolveApproval: asking('approval_not_found', pendingApproval, (id) => `/approvals/${id}/resolve`, {
    decision: 'reject',
  }),
}
