import type { AgentRunResult, KnowledgeBase, KnowledgeDocument, TeamRunResult } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { broadcast, plan, review, route } from '../teams/lead-decisions.ts'
import { startTeamSetting, type TeamSetting } from '../teams/team-setting.ts'

let setting: TeamSetting
let baseId: string
beforeAll(async () => {
  setting = await startTeamSetting()
  const embedding = { llm_config_id: setting.server.seed.llm.organization, model_id: 'sandbox-embed-1' }
  const path = 'POST /api/v1/knowledge-bases'
  const created = await setting.server.call(path, { body: { name: 'Handbook', embedding } })
  baseId = (created.body as KnowledgeBase).knowledgeBaseId
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    const added = await setting.server.call(`${path}/${baseId}/documents`, { body: { name, text } })
    const read = `GET /api/v1/knowledge-bases/${baseId}/documents/${(added.body as KnowledgeDocument).documentId}`
    const body = async () => (await setting.server.call(read)).body
    await vi.waitFor(async () => expect(await body()).toMatchObject({ status: 'ready' }), 10_000)
  }
})
afterAll(() => setting[Symbol.asyncDispose]())

const MESSAGE = 'How long do refunds take?'
const DOCUMENTS = {
  'refunds.md': 'Refunds take 14 days.',
  'norway.md': 'Shipping a parcel to Norway costs 9 euros and takes 5 days.',
  'sweden.md': 'Shipping a parcel to Sweden costs 8 euros.',
}
const knowledge = (more: object = {}) => ({ knowledge: { base_ids: [baseId], top_k: 1, ...more } })
/** Members are seeded without defaults. */
const whole = () =>
  knowledge({ mode: 'tool', cite: true, min_score: null, filters: {}, rerank_llm_config_id: null })
const textsOf = (call: { body: object } | undefined) => JSON.stringify(call?.body)

test.for([
  ['handoff', { lead: route('m1', MESSAGE), m1: 'It takes 14 days [1].' }],
  ['parallel', { lead: [broadcast('Ask'), 'It takes 14 days [1].'], m1: 'A', m2: 'B' }],
  [
    'plan-execute',
    {
      lead: [
        plan({ id: 't1', assignee: 'm1' }),
        review('complete', { evidence: ['t1'] }),
        'It takes 14 days [1].',
      ],
      m1: 'Done.',
    },
  ],
] as const)('a promoted lead of the mode %s decides and answers with passages of its knowledge', async ([
  mode,
  cast,
]) => {
  const config = { toggles: { auto_member_input: true } }
  const team = await setting.team(mode, {
    members: ['Ada', 'Ben'],
    promoted: true,
    leadConfig: knowledge(),
    ...(mode === 'parallel' && { config }),
  })
  setting.play(cast)
  const result: TeamRunResult = await setting.result(team, { message: MESSAGE })
  expect(result.content).toContain('It takes 14 days [1].')
  const lead = setting.calls('lead')
  expect(lead.length).toBeGreaterThan(0)
  for (const call of lead) expect(textsOf(call)).toContain('Refunds take 14 days.')
  for (const call of setting.calls('m1')) expect(textsOf(call)).not.toContain('Refunds take 14 days.')
  expect(result.citations).toMatchObject([{ n: 1, documentName: 'refunds.md' }])
})

test('a delegating lead, and a member, search by their tool', async () => {
  const search = { toolCalls: [{ name: 'search_knowledge', arguments: { query: MESSAGE } }] }
  const team = await setting.team('handoff', { members: ['Ada', 'Ben'], memberConfig: whole() })
  setting.play({ lead: route('m2', MESSAGE), m2: [search, 'It takes 14 days [1].'] })
  expect(await setting.result(team, { message: MESSAGE })).toMatchObject({
    content: 'It takes 14 days [1].',
    citations: [{ n: 1, documentName: 'refunds.md' }],
  })
  const crew = await setting.team('dynamic-delegation', { promoted: true, leadConfig: knowledge() })
  setting.play({ lead: [search, 'It takes 14 days [1].'] })
  expect(await setting.result(crew, { message: MESSAGE })).toMatchObject({ citations: [{ n: 1 }] })
})

test('an agent in a workflow node has passages of its knowledge', async () => {
  const model = { primary: { llm_config_id: setting.runs.llmConfigId, model_id: 'm1' } }
  const { agentId } = await setting.runs.agent({ ...knowledge({ mode: 'auto' }), model })
  const { organizationId } = setting.server.seed
  const graph = {
    nodes: [node('start', 'manual-trigger'), node('agent', 'ai-agent', { agentId, message: MESSAGE })],
    edges: [edge('start', 'agent')],
  }
  const id = await seedWorkflow(setting.server.context.database, { organizationId, projectId: null, graph })
  setting.play({ m1: 'It takes 14 days [1].' })
  const ran = await setting.server.call(`POST /api/v1/workflows/${id}/run`, { body: { input: {} } })
  expect(ran.body).toMatchObject({ status: 'completed' })
  expect(textsOf(setting.calls('m1')[0])).toContain('Refunds take 14 days.')
})

const SHIPPING = 'What does shipping a parcel to Norway cost?'

async function reranked(rerankId: string) {
  const model = { primary: { llm_config_id: setting.runs.llmConfigId, model_id: 'm1' } }
  const { agentId } = await setting.runs.agent({
    ...knowledge({ mode: 'auto', rerank_llm_config_id: rerankId }),
    model,
  })
  const { status, body } = await setting.runs.run(agentId, { message: SHIPPING })
  expect(status).toBe(200)
  return body as AgentRunResult
}

test('a chat model reranks the passages, and its tokens belong to the run', async () => {
  const rerankId = await setting.runs.connect(setting.model.url)
  const respond = (ranking: string) =>
    setting.model.respond(({ body }) => (body.model === 'm1' ? 'See [1].' : ranking))
  setting.model.reset()
  respond('{"ranking": [3, 99, 3]}')
  const { citations, metrics } = await reranked(rerankId)
  const [asked] = setting.model.requests
  expect(textsOf(asked)).toContain('Refunds take 14 days.')
  expect(citations).not.toMatchObject([{ documentName: 'norway.md' }])
  // The scripted model reports 10 for each of its two calls; the question has 8 words for the sandbox's embedding.
  expect(metrics.inputTokens).toBe(28)
  setting.model.reset()
  respond('I would rather not.')
  expect((await reranked(rerankId)).citations).toMatchObject([{ documentName: 'norway.md' }])
})

test('a failing rerank model keeps the order of the passages', async () => {
  const rerankId = await setting.runs.connect(setting.model.url)
  setting.model.reset()
  setting.model.respond(({ body }) =>
    body.model === 'm1' ? 'See [1].' : { status: 401, body: { error: { message: 'no' } } },
  )
  expect((await reranked(rerankId)).citations).toMatchObject([{ documentName: 'norway.md' }])
})

test('the rerank model of the sandbox prefers passages with the words of the question', async () => {
  setting.model.reset()
  setting.model.respond(() => 'See [1].')
  const { citations } = await reranked(setting.server.seed.llm.organization)
  expect(citations).toMatchObject([{ documentName: 'norway.md' }])
})
