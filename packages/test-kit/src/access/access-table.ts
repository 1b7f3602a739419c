import { randomUUID } from 'node:crypto'
import { type ErrorCode, type OperationId, propertyOf, type TriggerOperationId } from '@troupe/contract'
import { seedForm } from '../server/seed-form.ts'
import { seedTeam } from '../server/seed-team.ts'
import { seedWebhook } from '../server/seed-webhook.ts'
import { REVIEW_GRAPH, seedWorkflow } from '../server/seed-workflow.ts'
import type { TestServer } from '../server/start-test-server.ts'

/** A request that succeeds when sent with a permitted key. */
export interface AccessRequest {
  /** Path below the API, parameters filled in. */
  path: string
  body?: object
}

/** The expected treatment of callers without access to a resource. */
export interface AccessRow {
  /** A request that the organization's key is allowed to make. */
  own(server: TestServer): AccessRequest | Promise<AccessRequest>
  /**
   * The same for a resource of another organization, and its error; null for operations that name no
   * resource.
   */
  otherOrganization: {
    request(server: TestServer): AccessRequest | Promise<AccessRequest>
    error: ErrorCode
  } | null
  /** The same for a resource of another project, requested with a project key. */
  otherProject: {
    request(server: TestServer): AccessRequest | Promise<AccessRequest>
    error: ErrorCode
  } | null
}

const RUN_BODY = { message: 'hello' }

type Place = 'organization' | 'otherProject' | 'otherOrganization'
type Kind = 'agent' | 'team' | 'workflow'

const made = new WeakMap<TestServer, Map<string, Promise<string>>>()

/** A team or a workflow in that place, created on first use. */
function seeded(server: TestServer, kind: 'team' | 'workflow', place: Place): Promise<string> {
  const known = made.get(server) ?? new Map<string, Promise<string>>()
  made.set(server, known)
  const { seed, context } = server
  const organizationId = place === 'otherOrganization' ? seed.otherOrganizationId : seed.organizationId
  const projectId = place === 'otherProject' ? seed.otherProjectId : null
  const where = { organizationId, projectId }
  const key = `${kind} ${place}`
  const id =
    known.get(key) ??
    (kind === 'team'
      ? seedTeam(context.database, where).then(({ teamId }) => teamId)
      : seedWorkflow(context.database, where))
  known.set(key, id)
  return id
}

async function entityOf(server: TestServer, kind: Kind, place: Place): Promise<string> {
  return kind === 'agent' ? server.seed.agents[place] : seeded(server, kind, place)
}

/** Starts a run and returns its id. */
async function startRun(server: TestServer, path: string, key: string): Promise<string> {
  const { status, body } = await server.call(`POST ${path}`, { key, body: RUN_BODY })
  if (status >= 300) throw new Error(`the run answered ${status}: ${JSON.stringify(body)}`)
  const ids = ['runId', 'jobId', 'executionId'].map((name) => propertyOf(body, name))
  return ids.find((id) => typeof id === 'string') ?? ''
}

function keyOf({ seed }: TestServer, place: Place): string {
  return place === 'otherOrganization' ? seed.keys.otherOrganization : seed.keys.organization
}

/** An operation on an agent or a team by its id. */
function entityRow(kind: Kind, suffix: string, body?: object): AccessRow {
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => ({
    path: `/api/v1/${kind}s/${await entityOf(server, kind, place)}${suffix}`,
    ...(body ? { body } : {}),
  })
  return {
    own: (server) => request(server, 'organization'),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: `${kind}_not_found`,
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'forbidden' },
  }
}

/** An operation on a run that was started synchronously. */
function runRow(kind: Kind, suffix: string): AccessRow {
  const start = kind === 'agent' ? 'run' : 'run-sync'
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const path = `/api/v1/${kind}s/${await entityOf(server, kind, place)}`
    const runId = await startRun(server, `${path}/${start}`, keyOf(server, place))
    return { path: `${path}/runs/${runId}${suffix}` }
  }
  return {
    own: async (server) => {
      const entityId = await entityOf(server, kind, 'organization')
      return { path: `/api/v1/${kind}s/${entityId}/runs/${randomUUID()}${suffix}` }
    },
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'run_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'run_not_found' },
  }
}

/** An operation on a job by its id. */
function jobRow(kind: Kind, suffix: string): AccessRow {
  const jobs = kind === 'agent' ? 'jobs' : `${kind}-jobs`
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const path = `/api/v1/${kind}s/${await entityOf(server, kind, place)}/run-async`
    return { path: `/api/v1/${jobs}/${await startRun(server, path, keyOf(server, place))}${suffix}` }
  }
  return {
    own: () => ({ path: `/api/v1/${jobs}/${randomUUID()}${suffix}` }),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'job_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'job_not_found' },
  }
}

/** An open review in that place. */
async function openReview(server: TestServer, place: Place): Promise<string> {
  const { seed, context } = server
  const organizationId = place === 'otherOrganization' ? seed.otherOrganizationId : seed.organizationId
  const projectId = place === 'otherProject' ? seed.otherProjectId : null
  const workflowId = await seedWorkflow(context.database, { organizationId, projectId, graph: REVIEW_GRAPH })
  const key = keyOf(server, place)
  const executionId = await startRun(server, `/api/v1/workflows/${workflowId}/run-async`, key)
  for (;;) {
    const { body } = await server.call(`GET /api/v1/workflow-jobs/${executionId}/reviews`, { key })
    const [review] = (body as { data: { reviewId: string }[] }).data
    if (review) return review.reviewId
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** An operation on a review by its id. */
function reviewRow(suffix: string, body?: object): AccessRow {
  const of = (reviewId: string): AccessRequest => ({
    path: `/api/v1/reviews/${reviewId}${suffix}`,
    ...(body ? { body } : {}),
  })
  const request = async (server: TestServer, place: Place) => of(await openReview(server, place))
  return {
    own: () => of(randomUUID()),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'review_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'review_not_found' },
  }
}

/** A pending approval in that place: of a job whose agent may not calculate by itself. */
async function pendingApproval(server: TestServer, place: Place): Promise<string> {
  const key = keyOf(server, place)
  const tools = [{ type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always' }]
  const body = {
    name: 'Careful',
    ...(place === 'otherProject' && { projectId: server.seed.otherProjectId }),
    config: { instructions: '[[tool: calculator {"expression": "1+1"}]]', tools },
  }
  const agentId = propertyOf((await server.call('POST /api/v1/agents', { key, body })).body, 'agentId')
  const runId = await startRun(server, `/api/v1/agents/${agentId}/run-async`, key)
  for (;;) {
    const { body } = await server.call('GET /api/v1/approvals?limit=100', { key })
    const data = propertyOf(body, 'data')
    const ofRun = Array.isArray(data) ? data.find((one) => propertyOf(one, 'runId') === runId) : null
    if (ofRun) return String(propertyOf(ofRun, 'approvalId'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** An operation on an approval by its id. */
function approvalRow(suffix: string, body: object): AccessRow {
  const of = (approvalId: string): AccessRequest => ({
    path: `/api/v1/approvals/${approvalId}${suffix}`,
    body,
  })
  const request = async (server: TestServer, place: Place) => of(await pendingApproval(server, place))
  return {
    own: (server) => request(server, 'organization'),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'approval_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'forbidden' },
  }
}

/** A knowledge base with a document in that place. */
async function knowledgeIn(
  server: TestServer,
  place: Place,
): Promise<{ baseId: string; documentId: string }> {
  const key = keyOf(server, place)
  const projectId = place === 'otherProject' ? server.seed.otherProjectId : null
  const post = async (path: string, body: object, id: string) => {
    const answer = await server.call(`POST ${path}`, { key, body })
    return String(propertyOf(answer.body, id))
  }
  const path = '/api/v1/knowledge-bases'
  const baseId = await post(path, { name: 'Access', projectId }, 'knowledgeBaseId')
  const text = { name: 'a.md', text: 'Access' }
  return { baseId, documentId: await post(`${path}/${baseId}/documents`, text, 'documentId') }
}

/** An operation on a knowledge base, or on a document of one. */
function knowledgeRow(of: (ids: { baseId: string; documentId: string }) => AccessRequest): AccessRow {
  const request = async (server: TestServer, place: Place) => of(await knowledgeIn(server, place))
  return {
    own: (server) => request(server, 'organization'),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'knowledge_base_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'forbidden' },
  }
}

/** An operation on a memory that an agent keeps. */
function memoryRow(): AccessRow {
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const { context, seed } = server
    const { agents, otherProjectId } = seed
    const organizationId = place === 'otherOrganization' ? seed.otherOrganizationId : seed.organizationId
    const projectId = place === 'otherProject' ? otherProjectId : null
    const keeper = { organizationId, projectId, kind: 'agent', entityId: agents[place] } as const
    const about = { ...keeper, scope: 'agent', userId: randomUUID() } as const
    const add = [{ text: 'Likes tea.', fingerprint: 'likes tea' }]
    await context.database.memories.change(about, { add, forget: [] }, 10)
    const [memory] = await context.database.memories.of(about, 1)
    return { path: `/api/v1/memories/${memory?.id}` }
  }
  return {
    own: (server) => request(server, 'organization'),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'memory_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'forbidden' },
  }
}

/** An operation on a session of an agent. */
function sessionRow(suffix: string): AccessRow {
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const agentId = await entityOf(server, 'agent', place)
    const session_id = randomUUID()
    const body = { ...RUN_BODY, session_id }
    const { status } = await server.call(`POST /api/v1/agents/${agentId}/run`, {
      key: keyOf(server, place),
      body,
    })
    if (status !== 200) throw new Error(`the run answered ${status}`)
    return { path: `/api/v1/sessions/${session_id}${suffix}` }
  }
  return {
    own: (server) => request(server, 'organization'),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'session_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'forbidden' },
  }
}

/** A skill in that place. */
async function skillIn(server: TestServer, place: Place): Promise<string> {
  const files = { 'SKILL.md': '---\nname: access\ndescription: Access.\n---\n' }
  const projectId = place === 'otherProject' ? server.seed.otherProjectId : null
  const body = { files, projectId }
  const answer = await server.call('POST /api/v1/skills', { key: keyOf(server, place), body })
  return `/api/v1/skills/${String(propertyOf(answer.body, 'skillId'))}`
}

/** An operation on a skill. */
function skillRow(): AccessRow {
  const request = async (server: TestServer, place: Place) => ({ path: await skillIn(server, place) })
  return {
    own: (server) => request(server, 'organization'),
    otherOrganization: {
      request: (server) => request(server, 'otherOrganization'),
      error: 'skill_not_found',
    },
    otherProject: { request: (server) => request(server, 'otherProject'), error: 'forbidden' },
  }
}

/** A chat completion of an agent in that place. */
const completionOf = (server: TestServer, place: Place): AccessRequest => ({
  path: '/api/v1/openai/chat/completions',
  body: { model: server.seed.agents[place], messages: [{ role: 'user', content: 'hello' }] },
})

/** One row per route that speaks a protocol of others. They name no operation. */
export const PROTOCOL_TABLE: Record<string, AccessRow> = {
  'GET /api/v1/openai/models': listRow('/api/v1/openai/models'),
  'POST /api/v1/openai/chat/completions': {
    own: (server) => completionOf(server, 'organization'),
    otherOrganization: {
      request: (server) => completionOf(server, 'otherOrganization'),
      error: 'model_not_found',
    },
    otherProject: { request: (server) => completionOf(server, 'otherProject'), error: 'forbidden' },
  },
  // Clients name tools, and see those of their key only.
  'POST /api/v1/mcp': listRow('/api/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
}

const basePath = (id: string) => `/api/v1/knowledge-bases/${id}`

function listRow(path: string, body?: object): AccessRow {
  return { own: () => ({ path, ...(body ? { body } : {}) }), otherOrganization: null, otherProject: null }
}

/** One row per operation of the public API; a new operation without a row does not compile. */
export const ACCESS_TABLE: Record<OperationId, AccessRow> = {
  getOrganizationLimits: listRow('/api/v1/organizations/limits'),
  listAgents: listRow('/api/v1/agents'),
  createAgent: listRow('/api/v1/agents', { name: 'Access' }),
  listLlmProviders: listRow('/api/v1/agents/llm-providers'),
  getAgent: entityRow('agent', ''),
  updateAgent: entityRow('agent', '', { name: 'Access' }),
  runAgent: entityRow('agent', '/run', RUN_BODY),
  runAgentStream: entityRow('agent', '/run-stream', RUN_BODY),
  resumeAgentStream: runRow('agent', '/stream'),
  cancelAgentRun: runRow('agent', ''),
  runAgentAsync: entityRow('agent', '/run-async', RUN_BODY),
  getAgentJob: jobRow('agent', ''),
  cancelAgentJob: jobRow('agent', '/cancel'),
  runTeamSync: entityRow('team', '/run-sync', RUN_BODY),
  runTeamStream: entityRow('team', '/run-stream', RUN_BODY),
  resumeTeamStream: runRow('team', '/stream'),
  cancelTeamRun: runRow('team', ''),
  runTeamAsync: entityRow('team', '/run-async', RUN_BODY),
  getTeamJob: jobRow('team', ''),
  cancelTeamJob: jobRow('team', '/cancel'),
  runWorkflow: entityRow('workflow', '/run', {}),
  runWorkflowAsync: entityRow('workflow', '/run-async', {}),
  getWorkflowJob: jobRow('workflow', ''),
  cancelWorkflowJob: jobRow('workflow', '/cancel'),
  getWorkflowJobResult: jobRow('workflow', '/result'),
  listWorkflowJobNodes: jobRow('workflow', '/nodes'),
  pauseWorkflowJob: jobRow('workflow', '/pause'),
  resumeWorkflowJob: jobRow('workflow', '/resume'),
  listWorkflowJobReviews: jobRow('workflow', '/reviews'),
  listReviews: listRow('/api/v1/reviews'),
  getReview: reviewRow(''),
  decideReview: reviewRow('/decision', { decision: 'approve' }),
  listApprovals: listRow('/api/v1/approvals'),
  resolveApproval: approvalRow('/resolve', { decision: 'reject' }),
  getUsage: listRow('/api/v1/usage'),
  listSessions: listRow('/api/v1/sessions'),
  getSession: sessionRow(''),
  listSessionMessages: sessionRow('/messages'),
  deleteSession: sessionRow(''),
  listMemories: listRow('/api/v1/memories'),
  deleteMemory: memoryRow(),
  forgetUser: listRow('/api/v1/memories?user_id=nobody'),
  listKnowledgeBases: listRow('/api/v1/knowledge-bases'),
  createKnowledgeBase: listRow('/api/v1/knowledge-bases', { name: 'Access' }),
  getKnowledgeBase: knowledgeRow(({ baseId }) => ({ path: basePath(baseId) })),
  updateKnowledgeBase: knowledgeRow(({ baseId }) => ({ path: basePath(baseId), body: { name: 'Other' } })),
  deleteKnowledgeBase: knowledgeRow(({ baseId }) => ({ path: basePath(baseId) })),
  listKnowledgeDocuments: knowledgeRow(({ baseId }) => ({ path: `${basePath(baseId)}/documents` })),
  addKnowledgeDocument: knowledgeRow(({ baseId }) => ({
    path: `${basePath(baseId)}/documents`,
    body: { name: 'b.md', text: 'Access' },
  })),
  getKnowledgeDocument: {
    ...knowledgeRow(({ baseId, documentId }) => ({ path: `${basePath(baseId)}/documents/${documentId}` })),
  },
  deleteKnowledgeDocument: {
    ...knowledgeRow(({ baseId, documentId }) => ({ path: `${basePath(baseId)}/documents/${documentId}` })),
  },
  searchKnowledgeBases: {
    ...knowledgeRow(({ baseId }) => ({
      path: '/api/v1/knowledge-bases/search',
      body: { base_ids: [baseId], query: 'access' },
    })),
    // The id is in the body: a path without an id has no unknown one to compare with.
    otherOrganization: null,
  },
  testTool: listRow('/api/v1/tools/test', {
    tool: { type: 'builtin', builtin: 'calculator' },
    arguments: { expression: '1' },
  }),
  listSkills: listRow('/api/v1/skills'),
  uploadSkill: listRow('/api/v1/skills', {
    files: { 'SKILL.md': '---\nname: access\ndescription: Access.\n---\n' },
  }),
  getSkill: skillRow(),
  deleteSkill: skillRow(),
}

/** The expected treatment of strangers by a trigger endpoint. */
export interface TriggerRow {
  /** A call with the address but without the further credentials that the trigger requires. */
  stranger(server: TestServer): Promise<AccessRequest>
  /**
   * Calls to triggers that are unavailable for different reasons; their responses must be indistinguishable.
   */
  nowhere(server: TestServer): Promise<AccessRequest[]>
}

const FORM_BASIC = { auth: { mode: 'basic', username: 'guest' } }

/** An endpoint of a form, with its request body. The stranger has the address but no password. */
function formRow(suffix: string, body?: object): TriggerRow {
  const request = (path: string): AccessRequest => ({ path: path + suffix, ...(body ? { body } : {}) })
  return {
    stranger: async ({ context, seed: { organizationId } }) => {
      const form = await seedForm(context, {
        organizationId,
        config: FORM_BASIC,
        password: 'secret of guests',
      })
      return request(form.path)
    },
    nowhere: async ({ context, seed: { organizationId } }) => {
      const { path, workflowId } = await seedForm(context, { organizationId })
      await context.database.transaction(({ write }) => write.workflows.unpublish(organizationId, workflowId))
      return [path, '/api/v1/forms/unknown-token', `/api/v1/forms/${workflowId}`].map(request)
    },
  }
}

/** One row per trigger endpoint; a new one without a row does not compile. */
export const TRIGGER_TABLE: Record<TriggerOperationId, TriggerRow> = {
  triggerWorkflow: {
    stranger: async ({ context, seed }) => {
      const { organizationId } = seed
      return { path: (await seedWebhook(context, { organizationId, projectId: null })).path, body: {} }
    },
    nowhere: async ({ context, seed }) => {
      const { organizationId, otherOrganizationId } = seed
      const mine = await seedWebhook(context, { organizationId, projectId: null })
      const foreign = await seedWebhook(context, { organizationId: otherOrganizationId, projectId: null })
      const path = (id: string, token: string) => `/api/v1/workflows/${id}/trigger/${token}`
      return [
        { path: path(mine.workflowId, 'unknown-token'), body: {} },
        { path: path(randomUUID(), mine.token), body: {} },
        { path: path(foreign.workflowId, mine.token), body: {} },
        { path: path(mine.workflowId, foreign.token), body: {} },
      ]
    },
  },
  getForm: formRow(''),
  openFormSession: formRow('/session', { username: 'guest', password: 'wrong' }),
  submitForm: formRow('/submit', {}),
  submitFormShortly: formRow('', {}),
  uploadFormFile: formRow('/upload?field=cv'),
}
