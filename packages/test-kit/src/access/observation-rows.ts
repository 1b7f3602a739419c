import type { ObservationOperationId } from '@troupe/builder-contract'
import { type OrganizationId, propertyOf } from '@troupe/contract'
import { seedWorkflow } from '../server/seed-workflow.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { BuilderRow } from './builder-row.ts'

/** An operation on a run of an agent. */
function ofRun(rest: string): BuilderRow {
  const path = async (server: TestServer, agentId: string, key: string) => {
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

/** What people see and do of runs. */
export const OBSERVATION_ROWS: Readonly<Record<ObservationOperationId, BuilderRow>> = {
  listRuns: { own: () => ({ path: '/runs' }) },
  getRun: ofRun(''),
  listRunNodes: ofWorkflowRun('/nodes'),
  getRunNode: ofWorkflowRun('/nodes/start'),
  streamRun: ofWorkflowRun('/stream'),
  cancelRun: ofRun('/cancel'),
  pauseRun: ofWorkflowRun('/pause'),
  resumeRun: ofWorkflowRun('/resume'),
  rerun: ofRun('/rerun'),
}
