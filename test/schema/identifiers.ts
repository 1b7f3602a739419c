import { setTimeout as delay } from 'node:timers/promises'
import { startListeners } from './listeners.ts'
import { changeMcpTool, MCP_IDENTIFIERS } from './mcp-tools.ts'
import type { Send } from './send.ts'
import type { Served } from './served.ts'

/** Identifiers of resources of a running server, by the name of their dictionary. */
export type Identifiers = Record<string, string[]>

const AGENT = 'a2000000-0000-4000-8000-000000000009'
const LEARNER = 'a2000000-0000-4000-8000-000000000006'
const CAREFUL = 'a2000000-0000-4000-8000-000000000007'
const TEAM = 'a3000000-0000-4000-8000-000000000001'
const ECHO = 'a4000000-0000-4000-8000-000000000001'
const APPROVAL = 'a4000000-0000-4000-8000-000000000002'
/** Enough for each state to occur: cancelling and deciding use them up. */
const EACH = 8

const NUMBERS = Array.from({ length: EACH }, (_, n) => n)
const MESSAGE = { message: 'Hello' }
/** The sandbox calls the tool, which waits for an approval; no generated message does. */
const CAREFUL_MESSAGE = { message: '[[tool: calculator {"expression": "1+1"}]]' }

const idIn = (text: string, name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? ''

const idsIn = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map((match) => match[1] ?? '')

/** Starts the same run several times, and returns the ids of the runs or jobs. */
async function started(send: Send, path: string, body: object = {}): Promise<string[]> {
  const found: string[] = []
  for (const _ of NUMBERS) found.push(idIn(await send('POST', path, body), '(?:runId|jobId|executionId)'))
  return found
}

/** Reads a list until it has enough items. */
async function opened(send: Send, list: string, name: string, count: number): Promise<string[]> {
  const until = Date.now() + 60_000
  for (;;) {
    const ids = idsIn(await send('GET', `/api/v1/${list}?limit=100`), name)
    if (ids.length >= count) return ids
    if (Date.now() > until) throw new Error(`${list} has ${ids.length} of ${count} items`)
    await delay(100)
  }
}

/** Knowledge bases, one of them with documents, and skills. */
async function createKnowledge(send: Send): Promise<Identifiers> {
  const newBase = async () =>
    idIn(await send('POST', '/api/v1/knowledge-bases', { name: 'Handbook' }), 'knowledgeBaseId')
  const library = await newBase()
  const newDocument = async (n: number) => {
    const document = { name: `page-${n}.md`, text: `# Page ${n}` }
    return idIn(await send('POST', `/api/v1/knowledge-bases/${library}/documents`, document), 'documentId')
  }
  const newSkill = async (n: number) => {
    const files = { 'SKILL.md': `---\nname: skill-${n}\ndescription: Skill ${n}.\n---\n` }
    return idIn(await send('POST', '/api/v1/skills', { files }), 'skillId')
  }
  return {
    library: [library],
    bases: await Promise.all(NUMBERS.map(newBase)),
    documents: await Promise.all(NUMBERS.map(newDocument)),
    skills: await Promise.all(NUMBERS.map(newSkill)),
  }
}

/** Sessions with memories of their users. */
async function createSessions(send: Send): Promise<Identifiers> {
  const users = NUMBERS.map((n) => `user-${n}`)
  const sessions: string[] = []
  for (const user_id of users) {
    const message = `Hello [[tool: update_memories {"remember": ["It is ${user_id}."], "forget": []}]]`
    sessions.push(
      idIn(await send('POST', `/api/v1/agents/${LEARNER}/run`, { message, user_id }), 'sessionId'),
    )
  }
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return {
    users,
    // Deleted sessions cannot be read.
    sessions: sessions.slice(EACH / 2),
    'old-sessions': sessions.slice(0, EACH / 2),
    learners: [LEARNER],
    memories: await opened(send, 'memories', 'memoryId', EACH),
    'first-days': [day(399), day(30), day(1)],
    'last-days': [day(1), day(0)],
  }
}

/** Starts runs, jobs and reviews, so that generated requests find existing ones. */
export async function createIdentifiers(served: Served): Promise<Identifiers> {
  const { url, credentials } = served
  const send: Send = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': credentials.organizationKey, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return text
  }
  const waiting = await started(send, `/api/v1/workflows/${APPROVAL}/run-async`)
  const agentJobs = await started(send, `/api/v1/agents/${AGENT}/run-async`, MESSAGE)
  const teamJobs = await started(send, `/api/v1/teams/${TEAM}/run-async`, MESSAGE)
  const paused = await started(send, `/api/v1/workflows/${APPROVAL}/run-async`)
  await started(send, `/api/v1/agents/${CAREFUL}/run-async`, CAREFUL_MESSAGE)
  const identifiers: Identifiers = {
    ...(await createKnowledge(send)),
    ...(await createSessions(send)),
    ...(await startListeners(served)),
    keys: [credentials.organizationKey],
    ...MCP_IDENTIFIERS,
    'changed-prints': [await changeMcpTool(served, send)],
    // Only jobs and streaming runs have events.
    'agent-runs': [...agentJobs, ...(await started(send, `/api/v1/agents/${AGENT}/run`, MESSAGE))],
    'team-runs': [...teamJobs, ...(await started(send, `/api/v1/teams/${TEAM}/run-sync`, MESSAGE))],
    'agent-jobs': agentJobs,
    'team-jobs': teamJobs,
    'workflow-jobs': [...(await started(send, `/api/v1/workflows/${ECHO}/run-async`)), ...waiting],
    'paused-jobs': paused,
    passwords: [credentials.password],
    'run-agent': [AGENT],
    'run-team': [TEAM],
    reviews: await opened(send, 'reviews', 'reviewId', waiting.length + paused.length),
    approvals: await opened(send, 'approvals', 'approvalId', EACH),
  }
  for (const id of paused) await send('POST', `/api/v1/workflow-jobs/${id}/pause`)
  return identifiers
}

/** The dictionary for each parameter of each path. */
const BINDINGS: readonly [
  /** An expression, or an operation if its path is shared. */
  paths: string | { operation: string },
  parameters: Record<string, string>,
][] = [
  ['^/api/v1/agents/.agentId./runs/', { 'path.runId': 'agent-runs', 'path.agentId': 'run-agent' }],
  ['^/api/v1/teams/.teamId./runs/', { 'path.runId': 'team-runs', 'path.teamId': 'run-team' }],
  ['^/api/v1/jobs/', { 'path.jobId': 'agent-jobs' }],
  ['^/api/v1/team-jobs/', { 'path.jobId': 'team-jobs' }],
  ['/resume$', { 'path.jobId': 'paused-jobs' }],
  ['^/api/v1/workflow-jobs/.jobId.($|/[^r]|/re[^s]|/result)', { 'path.jobId': 'workflow-jobs' }],
  ['/reviews/.reviewId.', { 'path.reviewId': 'reviews' }],
  ['/approvals/.approvalId.', { 'path.approvalId': 'approvals' }],
  ['/trigger/', { 'path.workflowId': 'hooked', 'path.webhookToken': 'webhooks' }],
  ['^/api/v1/knowledge-bases/.knowledgeBaseId.$', { 'path.knowledgeBaseId': 'bases' }],
  [
    '^/api/v1/knowledge-bases/.knowledgeBaseId./documents',
    { 'path.knowledgeBaseId': 'library', 'path.documentId': 'documents' },
  ],
  ['^/api/v1/skills/.skillId.$', { 'path.skillId': 'skills' }],
  ['^/api/v1/sessions$', { 'query.agent_id': 'learners', 'query.user_id': 'users' }],
  ['^/api/v1/sessions/.sessionId./messages$', { 'path.sessionId': 'sessions', 'query.agent_id': 'learners' }],
  [{ operation: 'getSession' }, { 'path.sessionId': 'sessions', 'query.agent_id': 'learners' }],
  [{ operation: 'deleteSession' }, { 'path.sessionId': 'old-sessions', 'query.agent_id': 'learners' }],
  [
    '^/api/v1/memories',
    { 'path.memoryId': 'memories', 'query.agent_id': 'learners', 'query.user_id': 'users' },
  ],
  ['^/api/v1/usage$', { 'query.from': 'first-days', 'query.to': 'last-days' }],
  ['/openai/chat/completions$', { 'body.model': 'run-agent' }],
  ['^/api/v1/mcp$', { 'header.accept': 'mcp-accept', 'body.method': 'mcp-methods' }],
  [
    '/mcp-servers/tools$',
    {
      'query.organization': 'organizations',
      'query.server': 'mcp-servers',
      'body.organization': 'organizations',
      'body.server': 'mcp-servers',
      'body.tools[*].name': 'changed-tools',
      'body.tools[*].fingerprint': 'changed-prints',
    },
  ],
  ['/workflows/.workflowId./run$', { 'path.workflowId': 'brief' }],
  ['^/api/v1/forms/.*/upload$', { 'query.field': 'file-fields', 'path.formToken': 'open-forms' }],
  ['^/forms/preview/.formToken.$', { 'path.formToken': 'test-forms' }],
  [{ operation: 'uploadTestFormFile' }, { 'query.field': 'file-fields', 'path.formToken': 'test-forms' }],
  ['^/trigger-test/', { 'path.token': 'test-webhooks', 'header.x-api-key': 'keys' }],
  [
    '/session$',
    {
      'path.formToken': 'closed-forms',
      'body.username': 'guests',
      'body.password': 'passwords',
    },
  ],
]

/** The identifiers as a part of `schemathesis.toml`. */
export function identifiersAsToml(identifiers: Identifiers): string {
  const dictionaries = Object.entries(identifiers).map(
    ([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`,
  )
  const operations = BINDINGS.map(([paths, parameters]) => {
    const lines = Object.entries(parameters).map(
      ([name, dictionary]) => `"${name}" = { dictionary = "${dictionary}", probability = 0.8 }`,
    )
    const where =
      typeof paths === 'string'
        ? `include-path-regex = '${paths}'`
        : `include-operation-id = '${paths.operation}'`
    return `[[operations]]\n${where}\n[operations.parameters]\n${lines.join('\n')}\n`
  })
  return [...dictionaries, ...operations].join('\n')
}
