import { randomUUID } from 'node:crypto'
import type { ErrorCode, OperationId } from '@troupe/contract'
import type { TestServer } from '../server/start-test-server.ts'

/** What a request needs to be answered like any other, beside a key. */
export interface AccessRequest {
  /** Path below the API, parameters filled. */
  path: string
  body?: object
}

/** How one operation must treat callers who may not see a resource. */
export interface AccessRow {
  /** A request that the organization's own key may make. */
  own(server: TestServer): AccessRequest | Promise<AccessRequest>
  /** The same for a resource of another organization, and its answer; null for operations that name no resource. */
  otherOrganization: {
    request(server: TestServer): AccessRequest | Promise<AccessRequest>
    error: ErrorCode
  } | null
  /** The same for a resource of another project, asked for with a project key. */
  otherProject: {
    request(server: TestServer): AccessRequest | Promise<AccessRequest>
    error: ErrorCode
  } | null
}

const RUN_BODY = { message: 'hello' }

/** Starts a run of an agent and returns its id. */
async function startRun(server: TestServer, agentId: string, key: string): Promise<string> {
  const { status, body } = await server.call(`POST /api/v1/agents/${agentId}/run`, { key, body: RUN_BODY })
  if (status !== 200) throw new Error(`the run answered ${status}: ${JSON.stringify(body)}`)
  return (body as { runId: string }).runId
}

function agentRow(suffix: string, body?: object): AccessRow {
  const request = (agentId: string): AccessRequest => ({
    path: `/api/v1/agents/${agentId}${suffix}`,
    ...(body ? { body } : {}),
  })
  return {
    own: ({ seed }) => request(seed.agents.organization),
    otherOrganization: {
      request: ({ seed }) => request(seed.agents.otherOrganization),
      error: 'agent_not_found',
    },
    otherProject: { request: ({ seed }) => request(seed.agents.otherProject), error: 'forbidden' },
  }
}

function runRow(suffix: string): AccessRow {
  const request = async (server: TestServer, agentId: string, key: string): Promise<AccessRequest> => ({
    path: `/api/v1/agents/${agentId}/runs/${await startRun(server, agentId, key)}${suffix}`,
  })
  return {
    own: ({ seed }) => ({ path: `/api/v1/agents/${seed.agents.organization}/runs/${randomUUID()}${suffix}` }),
    otherOrganization: {
      request: (server) =>
        request(server, server.seed.agents.otherOrganization, server.seed.keys.otherOrganization),
      error: 'run_not_found',
    },
    otherProject: {
      request: (server) => request(server, server.seed.agents.otherProject, server.seed.keys.organization),
      error: 'run_not_found',
    },
  }
}

function listRow(path: string, body?: object): AccessRow {
  return { own: () => ({ path, ...(body ? { body } : {}) }), otherOrganization: null, otherProject: null }
}

/** One row for each operation of the public API; a new operation without a row does not compile. */
export const ACCESS_TABLE: Record<OperationId, AccessRow> = {
  getOrganizationLimits: listRow('/api/v1/organizations/limits'),
  listAgents: listRow('/api/v1/agents'),
  createAgent: listRow('/api/v1/agents', { name: 'Access' }),
  listLlmProviders: listRow('/api/v1/agents/llm-providers'),
  getAgent: agentRow(''),
  updateAgent: agentRow('', { name: 'Access' }),
  runAgent: agentRow('/run', RUN_BODY),
  runAgentStream: agentRow('/run-stream', RUN_BODY),
  resumeAgentStream: runRow('/stream'),
  cancelAgentRun: runRow(''),
}
