import { randomUUID } from 'node:crypto'
import {
  type ApprovalId,
  type IdText,
  type KnowledgeBaseId,
  type KnowledgeDocumentId,
  propertyOf,
  type ReviewId,
} from '@troupe/contract'
import { seedTeam } from '../server/seed-team.ts'
import { REVIEW_GRAPH, seedWorkflow } from '../server/seed-workflow.ts'
import type { TestServer } from '../server/start-test-server.ts'
import { type AccessRequest, type AccessRow, keyAt, ownerAt, type Place, placedRow } from './access-row.ts'

/** The body of every run of the access suite. */
export const RUN_BODY = { message: 'hello' }

type Kind = 'agent' | 'team' | 'workflow'

const made = new WeakMap<TestServer, Map<string, Promise<string>>>()

/** A team or a workflow in that place, created on first use. */
function seeded(server: TestServer, kind: 'team' | 'workflow', place: Place): Promise<string> {
  const known = made.get(server) ?? new Map<string, Promise<string>>()
  made.set(server, known)
  const { context } = server
  const where = ownerAt(server, place)
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

/** An operation on an agent or a team by its id. */
export function entityRow(kind: Kind, suffix: string, body?: object): AccessRow {
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => ({
    path: `/api/v1/${kind}s/${await entityOf(server, kind, place)}${suffix}`,
    ...(body ? { body } : {}),
  })
  return placedRow(request, `${kind}_not_found`)
}

/** An operation on a run that was started synchronously. */
export function runRow(kind: Kind, suffix: string): AccessRow {
  const start = kind === 'agent' ? 'run' : 'run-sync'
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const path = `/api/v1/${kind}s/${await entityOf(server, kind, place)}`
    const runId = await startRun(server, `${path}/${start}`, keyAt(server, place))
    return { path: `${path}/runs/${runId}${suffix}` }
  }
  return {
    ...placedRow(request, 'run_not_found', 'run_not_found'),
    own: async (server) => {
      const entityId = await entityOf(server, kind, 'organization')
      return { path: `/api/v1/${kind}s/${entityId}/runs/${randomUUID()}${suffix}` }
    },
  }
}

/** An operation on a job by its id. */
export function jobRow(kind: Kind, suffix: string): AccessRow {
  const jobs = kind === 'agent' ? 'jobs' : `${kind}-jobs`
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const path = `/api/v1/${kind}s/${await entityOf(server, kind, place)}/run-async`
    return { path: `/api/v1/${jobs}/${await startRun(server, path, keyAt(server, place))}${suffix}` }
  }
  return {
    ...placedRow(request, 'job_not_found', 'job_not_found'),
    own: () => ({ path: `/api/v1/${jobs}/${randomUUID()}${suffix}` }),
  }
}

/** An open review in that place. */
export async function openReview(server: TestServer, place: Place): Promise<string> {
  const owner = ownerAt(server, place)
  const workflowId = await seedWorkflow(server.context.database, { ...owner, graph: REVIEW_GRAPH })
  const key = keyAt(server, place)
  const executionId = await startRun(server, `/api/v1/workflows/${workflowId}/run-async`, key)
  for (;;) {
    const { body } = await server.call(`GET /api/v1/workflow-jobs/${executionId}/reviews`, { key })
    const [review] = (body as { data: { reviewId: IdText<ReviewId> }[] }).data
    if (review) return review.reviewId
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** An operation on a review by its id. */
export function reviewRow(suffix: string, body?: object): AccessRow {
  const of = (reviewId: IdText<ReviewId>): AccessRequest => ({
    path: `/api/v1/reviews/${reviewId}${suffix}`,
    ...(body ? { body } : {}),
  })
  const request = async (server: TestServer, place: Place) => of(await openReview(server, place))
  return { ...placedRow(request, 'review_not_found', 'review_not_found'), own: () => of(randomUUID()) }
}

/** A pending approval in that place: of a job whose agent needs approval to calculate. */
export async function pendingApproval(server: TestServer, place: Place): Promise<string> {
  const key = keyAt(server, place)
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
export function approvalAccess(suffix: string, body: object): AccessRow {
  const of = (approvalId: IdText<ApprovalId>): AccessRequest => ({
    path: `/api/v1/approvals/${approvalId}${suffix}`,
    body,
  })
  const request = async (server: TestServer, place: Place) => of(await pendingApproval(server, place))
  return placedRow(request, 'approval_not_found')
}

/** A knowledge base with a document in that place. */
async function knowledgeIn(
  server: TestServer,
  place: Place,
): Promise<{ baseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> }> {
  const key = keyAt(server, place)
  const { projectId } = ownerAt(server, place)
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
export function knowledgeRow(
  of: (ids: { baseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> }) => AccessRequest,
): AccessRow {
  const request = async (server: TestServer, place: Place) => of(await knowledgeIn(server, place))
  return placedRow(request, 'knowledge_base_not_found')
}

/** An operation on a memory of an agent. */
export function memoryRow(): AccessRow {
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const { context, seed } = server
    const keeper = { ...ownerAt(server, place), kind: 'agent', entityId: seed.agents[place] } as const
    const about = { ...keeper, scope: 'agent', userId: randomUUID() } as const
    const add = [{ text: 'Likes tea.', fingerprint: 'likes tea' }]
    await context.database.memories.change(about, { add, forget: [] }, 10)
    const [memory] = await context.database.memories.of(about, 1)
    return { path: `/api/v1/memories/${memory?.id}` }
  }
  return placedRow(request, 'memory_not_found')
}

/** An operation on a session of an agent. */
export function sessionRow(suffix: string): AccessRow {
  const request = async (server: TestServer, place: Place): Promise<AccessRequest> => {
    const agentId = await entityOf(server, 'agent', place)
    const session_id = randomUUID()
    const body = { ...RUN_BODY, session_id }
    const { status } = await server.call(`POST /api/v1/agents/${agentId}/run`, {
      key: keyAt(server, place),
      body,
    })
    if (status !== 200) throw new Error(`the run answered ${status}`)
    return { path: `/api/v1/sessions/${session_id}${suffix}` }
  }
  return placedRow(request, 'session_not_found')
}

/** A skill in that place. */
async function skillIn(server: TestServer, place: Place): Promise<string> {
  const files = { 'SKILL.md': '---\nname: access\ndescription: Access.\n---\n' }
  const { projectId } = ownerAt(server, place)
  const body = { files, projectId }
  const answer = await server.call('POST /api/v1/skills', { key: keyAt(server, place), body })
  return `/api/v1/skills/${String(propertyOf(answer.body, 'skillId'))}`
}

/** An operation on a skill. */
export function skillRow(): AccessRow {
  const request = async (server: TestServer, place: Place) => ({ path: await skillIn(server, place) })
  return placedRow(request, 'skill_not_found')
}
