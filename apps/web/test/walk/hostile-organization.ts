import { AgentId, checkedId, propertyOf } from '@troupe/contract'
import { expect, vi } from 'vitest'
import type { Journey } from '../journeys/journey.ts'
import { asOperator } from '../journeys/operator.ts'
import { HOSTILE_TEXT, hostileNames } from './hostile-texts.ts'
import { seedVoices } from './hostile-voices.ts'

/** Ids for the parameters of addresses: `agents/$agentId` takes `agentId`. */
export type PlaceIds = Readonly<Record<string, string>>

const OPEN_POLL = { timeout: 30_000, interval: 50 }
const USER = 'anna\u202e<b>@example.com 👩‍👩‍👧‍👦'

/** Fills the seeded organization with everything that a page can show, under hostile names. */
export async function seedHostileOrganization(journey: Journey): Promise<PlaceIds> {
  const name = hostileNames(120)
  await asOperator(journey, 'PUT ', { name: name() })
  for (let count = 0; count < 5; count += 1)
    await asOperator(journey, 'POST /projects', { name: name(), slug: `project-${count}` })
  for (let count = 0; count < 5; count += 1) {
    await journey.person('member', name())
    await asOperator(journey, 'POST /api-keys', { name: name() })
  }
  await asOperator(journey, 'POST /invitations', {
    email: `${'long.address.'.repeat(4)}x@${'sub.'.repeat(10)}example.com`,
    role: 'admin',
  })
  await asOperator(journey, 'PUT /budgets', { metric: 'llm_tokens', limit: 9_000_000_000 })
  const known = await seedKnowledge(journey)
  const agentIds = await seedAgents(journey, known)
  const teamId = await seedTeams(journey, agentIds)
  const flow = await seedWorkflows(journey, agentIds)
  const ran = await seedRuns(journey, agentIds, teamId)
  await seedMemories(journey, agentIds[0] ?? '')
  const trunkId = await seedPhone(journey)
  const voiceConfigId = await seedVoices(journey, agentIds[0] ?? '')
  return { ...known, ...flow, ...ran, agentId: agentIds[0] ?? '', teamId, voiceConfigId, trunkId }
}

async function idOf(journey: Journey, target: string, body: object, id: string): Promise<string> {
  return String(propertyOf(await asOperator(journey, target, body), id))
}

/** A base with documents that were read and that failed, a skill of two versions, a server of tools, credentials. */
async function seedKnowledge(journey: Journey): Promise<PlaceIds> {
  const name = hostileNames(120)
  const { keys, agents } = journey.server.seed
  const baseId = await idOf(journey, 'POST /knowledge-bases', { name: name() }, 'knowledgeBaseId')
  await asOperator(journey, 'POST /knowledge-bases', { name: name() })
  const documents = `POST /knowledge-bases/${baseId}/documents`
  for (let count = 0; count < 4; count += 1)
    await asOperator(journey, documents, { name: `${name()}.md`, text: HOSTILE_TEXT })
  await asOperator(journey, documents, { name: 'blank.md', text: ' ' })
  const skill = (rule: string) => ({
    files: {
      'SKILL.md': `---\nname: ${'returns-'.repeat(7)}x\ndescription: ${'Decides about returns. '.repeat(20)}\n---\n\n${HOSTILE_TEXT}\n\n${rule}\n`,
      [`${'folder/'.repeat(4)}${'long-name-'.repeat(8)}.md`]: HOSTILE_TEXT,
    },
  })
  const skillId = await idOf(journey, 'POST /skills', skill('Be strict.'), 'skillId')
  await asOperator(journey, 'POST /skills', skill('Be generous.'))
  const credentialId = await idOf(
    journey,
    'POST /credentials',
    {
      ...{ slug: 'own-key', name: name(), kind: 'bearer', secret: keys.organization },
      hosts: ['127.0.0.1', `*.${'long-host-name.'.repeat(8)}example`],
    },
    'credentialId',
  )
  const changed = await journey.server.call(`PUT /api/v1/agents/${agents.organization}`, {
    body: { name: name(), description: HOSTILE_TEXT, config: { expose: 'mcp' } },
  })
  expect(changed.status).toBe(200)
  const mcpServerId = await idOf(
    journey,
    'POST /mcp-servers',
    { slug: 'itself', name: name(), url: `${journey.url}/api/v1/mcp`, credentialId },
    'mcpServerId',
  )
  await asOperator(journey, `POST /mcp-servers/${mcpServerId}/connect`, {})
  await asOperator(journey, 'POST /mcp-servers', {
    ...{ slug: 'nobody', name: name(), url: `http://127.0.0.1:9/${'path/'.repeat(40)}` },
  })
  const llmConfigId = await seedModels(journey)
  return { baseId, skillId, mcpServerId, llmConfigId }
}

/** A trunk with numbers, and numbers that are not called for long reasons. */
async function seedPhone(journey: Journey): Promise<string> {
  const name = hostileNames(120)
  const trunk = {
    ...{ slug: 'carrier', name: name(), direction: 'outbound', provisioning: 'never' },
    ...{ address: `${'long-host-name.'.repeat(12)}example:5060`, auth: { username: name(), password: 'p' } },
    ...{
      allowedCountries: ['GB', 'FR', 'DE', 'US'],
      headers: { [`X-${'Long'.repeat(12)}`]: 'v'.repeat(200) },
    },
  }
  const trunkId = await idOf(journey, 'POST /phone-trunks', trunk, 'trunkId')
  for (const last of [1, 2, 3]) {
    const number = { slug: `desk-${last}`, e164: `+44207946010${last}`, voiceConfigId: null }
    await asOperator(journey, `POST /phone-trunks/${trunkId}/numbers`, number)
  }
  const numbers = ['+442079460555', '+33142685300']
  await asOperator(journey, 'POST /do-not-call', { numbers, reason: HOSTILE_TEXT.slice(0, 500) })
  return trunkId
}

async function seedModels(journey: Journey): Promise<string> {
  const name = hostileNames(120)
  return idOf(
    journey,
    'POST /llm-configurations',
    {
      ...{ slug: 'theirs', name: name(), providerId: 'openai-compatible' },
      ...{
        baseUrl: `http://127.0.0.1:9/${'path/'.repeat(30)}v1`,
        credentials: { apiKey: 'sk-hostile-wxyz' },
      },
      models: [
        { modelId: `vendor/${'long-model-name-'.repeat(8)}1`, displayName: name() },
        { modelId: 'small-1', inputUsdPerMillion: 0.000_001, outputUsdPerMillion: 999_999 },
      ],
    },
    'llmConfigId',
  )
}

async function seedAgents(journey: Journey, { baseId, skillId, mcpServerId }: PlaceIds): Promise<string[]> {
  const name = hostileNames(120)
  const config = {
    instructions: HOSTILE_TEXT,
    knowledge: { base_ids: [baseId] },
    skills: [{ skill_id: skillId }],
    tools: [{ type: 'mcp', server_id: mcpServerId }],
    metadata: { ['key'.repeat(20)]: '<b>value</b>'.repeat(20) },
  }
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const body = {
      name: name(),
      description: count === 0 ? HOSTILE_TEXT : null,
      config: count === 0 ? config : {},
    }
    const id = await idOf(journey, 'POST /agents', body, 'agentId')
    await asOperator(journey, `PUT /agents/${id}/status`, { status: 'active' })
    ids.push(id)
  }
  return ids
}

async function seedTeams(journey: Journey, agentIds: readonly string[]): Promise<string> {
  const name = hostileNames(120)
  const members = agentIds.slice(1).map((agent, at) => ({ agent, role: at === 0 ? HOSTILE_TEXT : null }))
  const ids: string[] = []
  for (const mode of ['handoff', 'parallel', 'plan-execute'])
    ids.push(
      await idOf(
        journey,
        'POST /teams',
        {
          ...{ name: name(), description: HOSTILE_TEXT.slice(0, 900) },
          config: { mode, members, lead: { managed: { instructions: HOSTILE_TEXT } } },
        },
        'teamId',
      ),
    )
  return ids[0] ?? ''
}

/** Start, an agent, a review that waits, and a value that is missing on one path. */
function hostileGraph(agentId: string, name: () => string) {
  const step = (id: string, type: string, config: object) => ({ id, type, name: name(), config })
  return {
    nodes: [
      step('start', 'manual-trigger', {}),
      step('hook', 'http-request', {}),
      step('ask', 'ai-agent', { agentId, message: `${HOSTILE_TEXT} {{ trigger.order }}` }),
      step('review', 'human-review', {
        ...{ title: `{{ trigger.order }} ${name()}`, instructions: HOSTILE_TEXT },
        show: [{ label: name(), value: '{{ upstream.ask.output }}' }],
        fields: [
          { name: 'amount', label: name(), type: 'number', required: true, value: 12 },
          { name: 'note', label: name(), type: 'textarea', value: HOSTILE_TEXT },
          { name: 'reason', label: 'Reason', type: 'select', options: [name(), name()] },
        ],
      }),
      step('set', 'variable', { rows: [{ name: 'x', op: 'set', value: '{{ trigger.missing }}' }] }),
    ],
    edges: [
      { id: 'a', source: 'start', target: 'ask' },
      { id: 'b', source: 'hook', target: 'ask' },
      { id: 'c', source: 'ask', target: 'review' },
      { id: 'd', source: 'review', sourceHandle: 'approved', target: 'set' },
    ],
  }
}

async function seedWorkflows(journey: Journey, agentIds: readonly string[]): Promise<PlaceIds> {
  const name = hostileNames(120)
  const draft = hostileGraph(agentIds[1] ?? '', name)
  const workflowId = await idOf(journey, 'POST /workflows', { name: name(), draft }, 'workflowId')
  await asOperator(journey, `POST /workflows/${workflowId}/publish`, {})
  await asOperator(journey, 'POST /workflows', { name: name(), draft: { nodes: [], edges: [] } })
  const { server } = journey
  const order = `${name()} ${name()}`
  const run = async () => {
    const { body, status } = await server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
      body: { input: { order } },
    })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return String(propertyOf(body, 'executionId'))
  }
  const waits = await run()
  const fails = await run()
  const open = async () => {
    const { data } = await asOperator<{ data: { reviewId: string; executionId: string }[] }>(
      journey,
      'GET /reviews?status=open&limit=100',
    )
    return data
  }
  await vi.waitFor(async () => expect(await open()).toHaveLength(2), OPEN_POLL)
  const [toFail, toWait] = await open()
  const decided = await server.call(`POST /api/v1/reviews/${toFail?.reviewId}/decision`, {
    body: { decision: 'approve', comment: HOSTILE_TEXT.slice(0, 900) },
  })
  expect(decided.status, JSON.stringify(decided.body)).toBe(200)
  return {
    ...{ workflowId, reviewId: toWait?.reviewId ?? '', decidedId: toFail?.reviewId ?? '' },
    ...{ workflowRunId: fails, waitingRunId: waits },
  }
}

async function seedRuns(journey: Journey, agentIds: readonly string[], teamId: string): Promise<PlaceIds> {
  const { server } = journey
  const run = async (target: string, body: object) => {
    const answer = await server.call(target, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return String(propertyOf(answer.body, 'runId'))
  }
  const talk = { user_id: USER, session_id: `${'session'.repeat(20)}<b>`, tag: 'tag '.repeat(12).trim() }
  const agentRun = `POST /api/v1/agents/${agentIds[1]}/run`
  await run(agentRun, { ...talk, message: HOSTILE_TEXT })
  const runId = await run(agentRun, { ...talk, message: 'W'.repeat(3_000) })
  const teamRunId = await run(`POST /api/v1/teams/${teamId}/run-sync`, { ...talk, message: HOSTILE_TEXT })
  const { data } = await asOperator<{ data: { id: string }[] }>(journey, 'GET /sessions')
  return { runId, teamRunId, sessionId: data[0]?.id ?? '' }
}

async function seedMemories(journey: Journey, agentId: string): Promise<void> {
  const { seed, context } = journey.server
  const about = {
    ...{ organizationId: seed.organizationId, projectId: null, entityId: checkedId(AgentId, agentId) },
    ...{ userId: USER },
    ...({ kind: 'agent', scope: 'agent' } as const),
  }
  const add = [HOSTILE_TEXT.slice(0, 400), 'W'.repeat(300)].map((text) => ({ text, fingerprint: text }))
  await context.database.memories.change(about, { add, forget: [] }, 10)
}
