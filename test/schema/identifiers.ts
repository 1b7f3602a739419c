import type { Served } from './served.ts'

/** Identifiers of things that only a running server has, by the name of their dictionary. */
export type Identifiers = Record<string, string[]>

const AGENT = 'a2000000-0000-4000-8000-000000000009'
const CAREFUL = 'a2000000-0000-4000-8000-000000000007'
const TEAM = 'a3000000-0000-4000-8000-000000000001'
const ECHO = 'a4000000-0000-4000-8000-000000000001'
const APPROVAL = 'a4000000-0000-4000-8000-000000000002'
/** Enough for each state to be met: cancelling and deciding use them up. */
const EACH = 8

/** Starts runs, jobs and reviews, so that generated requests find something. */
export async function createIdentifiers({ url, credentials }: Served): Promise<Identifiers> {
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': credentials.organizationKey, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return text
  }
  const started = async (path: string, body: object) => {
    const found: string[] = []
    for (let count = 0; count < EACH; count += 1) {
      const id = /"(?:runId|jobId|executionId)":"([^"]+)"/.exec(await send('POST', path, body))?.[1]
      if (id !== undefined) found.push(id)
    }
    return found
  }
  const message = { message: 'Hello' }
  const waiting = await started(`/api/v1/workflows/${APPROVAL}/run-async`, {})
  const agentJobs = await started(`/api/v1/agents/${AGENT}/run-async`, message)
  const teamJobs = await started(`/api/v1/teams/${TEAM}/run-async`, message)
  const paused = await started(`/api/v1/workflows/${APPROVAL}/run-async`, {})
  const idIn = (text: string, name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? ''
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
  const numbers = Array.from({ length: EACH }, (_, n) => n)
  const identifiers: Identifiers = {
    library: [library],
    bases: await Promise.all(numbers.map(newBase)),
    documents: await Promise.all(numbers.map(newDocument)),
    skills: await Promise.all(numbers.map(newSkill)),
    // Only jobs and streaming runs have events.
    'agent-runs': [...agentJobs, ...(await started(`/api/v1/agents/${AGENT}/run`, message))],
    'team-runs': [...teamJobs, ...(await started(`/api/v1/teams/${TEAM}/run-sync`, message))],
    'agent-jobs': agentJobs,
    'team-jobs': teamJobs,
    'workflow-jobs': [...(await started(`/api/v1/workflows/${ECHO}/run-async`, {})), ...waiting],
    'paused-jobs': paused,
    passwords: [credentials.password],
    'run-agent': [AGENT],
    'run-team': [TEAM],
  }
  const until = Date.now() + 30_000
  while ((identifiers.reviews?.length ?? 0) < waiting.length + paused.length) {
    if (Date.now() > until) throw new Error('the reviews did not open')
    const page = await send('GET', '/api/v1/reviews?limit=100')
    identifiers.reviews = [...page.matchAll(/"reviewId":"([^"]+)"/g)].map((match) => match[1] ?? '')
  }
  await started(`/api/v1/agents/${CAREFUL}/run-async`, message)
  while ((identifiers.approvals?.length ?? 0) < EACH) {
    if (Date.now() > until) throw new Error('the approvals did not open')
    const page = await send('GET', '/api/v1/approvals?limit=100')
    identifiers.approvals = [...page.matchAll(/"approvalId":"([^"]+)"/g)].map((match) => match[1] ?? '')
  }
  for (const id of paused) await send('POST', `/api/v1/workflow-jobs/${id}/pause`)
  return identifiers
}

/** Which parameter of which paths takes which dictionary. */
const BINDINGS: readonly [paths: string, parameters: Record<string, string>][] = [
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
  ['/openai/chat/completions$', { 'body.model': 'run-agent' }],
  ['/workflows/.workflowId./run$', { 'path.workflowId': 'brief' }],
  ['/upload$', { 'query.field': 'file-fields', 'path.formToken': 'open-forms' }],
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
    return `[[operations]]\ninclude-path-regex = '${paths}'\n[operations.parameters]\n${lines.join('\n')}\n`
  })
  return [...dictionaries, ...operations].join('\n')
}
