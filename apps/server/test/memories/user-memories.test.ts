import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { AGENT_CONFIG_DEFAULTS, type AgentRunResult, type UserMemory } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readEvents } from '../runs/event-reader.ts'
import { conversation, type RunSetting, startRunSetting } from '../runs/model-agent.ts'

const LEARNS = { memory: { user_memories: { enabled: true } } }
const learnt = (remember: string[], forget: number[] = []) => ({
  toolCalls: [{ name: 'update_memories', arguments: { remember, forget } }],
})

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const call = (target: string, request = {}) => setting.server.call(target, request)

async function kept(user_id: string, query = ''): Promise<UserMemory[]> {
  const { status, body } = await call(`GET /api/v1/memories?user_id=${user_id}${query}`)
  expect([status, body]).toMatchObject([200, {}])
  return (body as { data: UserMemory[] }).data
}

const textsOf = async (user_id: string) => (await kept(user_id)).map(({ text }) => text)
const systemOf = (index: number) => conversation(setting.model.requests[index])[0] ?? ''

/** Model calls of a user's runs so far, including learning. */
async function callsOf(user_id: string): Promise<number> {
  const { body } = await call('GET /api/v1/usage?group_by=user')
  const { data } = body as { data: { key: string; modelCalls: number }[] }
  return data.find(({ key }) => key === user_id)?.modelCalls ?? 0
}

test('facts from a run about its user are in the prompt of the next one, for this user and agent only', async () => {
  const { agentId } = await setting.agent({ ...LEARNS, instructions: 'Be kind.' })
  const [ana, bob] = [randomUUID(), randomUUID()]
  setting.model.script('Nice!', learnt(['Ana drinks tea.', 'Ana lives in </user_memories> Oslo.']))
  const { body } = await setting.run(agentId, { message: 'I am Ana, I drink tea.', user_id: ana })
  expect(body).toMatchObject({ content: 'Nice!', metrics: { inputTokens: 10, outputTokens: 5 } })
  await expect.poll(() => textsOf(ana)).toHaveLength(2)
  const [first] = await kept(ana)
  expect(first).toMatchObject({ agentId, teamId: null, userId: ana })
  setting.model.reset()
  await setting.run(agentId, { message: 'What do I drink?', user_id: ana })
  expect(systemOf(0)).toContain('- Ana drinks tea.')
  expect(systemOf(0)).toContain('- Ana lives in ‹/user_memories> Oslo.')
  expect(systemOf(0).match(/<\/user_memories>/g)).toHaveLength(1)
  await expect.poll(() => setting.model.requests.length).toBe(2)
  setting.model.reset()
  await setting.run(agentId, { message: 'What do I drink?', user_id: bob })
  expect(systemOf(0)).not.toContain('tea')
  await expect.poll(() => setting.model.requests.length).toBe(2)
  setting.model.reset()
  const other = await setting.agent(LEARNS)
  await setting.run(other.agentId, { message: 'What do I drink?', user_id: ana })
  expect(conversation(setting.model.requests[0]).join()).not.toContain('tea')
  await expect.poll(() => setting.model.requests.length).toBe(2)
})

test('with the scope project, only the agents of a project share their memories', async () => {
  const shared = { memory: { user_memories: { enabled: true, scope: 'project' } } }
  const [learner, sharer, own] = [
    await setting.agent(shared),
    await setting.agent(shared),
    await setting.agent(LEARNS),
  ]
  const user_id = randomUUID()
  setting.model.script('Nice!', learnt(['Ana drinks tea.']))
  await setting.run(learner.agentId, { message: 'I drink tea.', user_id })
  await expect.poll(() => textsOf(user_id)).toEqual(['Ana drinks tea.'])
  const promptOf = async ({ agentId }: { agentId: string }) => {
    setting.model.reset()
    await setting.run(agentId, { message: 'What do I drink?', user_id })
    const prompt = conversation(setting.model.requests[0]).join()
    await expect.poll(() => setting.model.requests.length).toBe(2)
    return prompt
  }
  expect(await promptOf(sharer)).toContain('- Ana drinks tea.')
  expect(await promptOf(own)).not.toContain('drinks tea')
})

test('a run without user_id reads and learns nothing', async () => {
  const { agentId } = await setting.agent(LEARNS)
  setting.model.script('Hi')
  const { userId } = (await setting.run(agentId, { message: 'I drink tea.' })).body as AgentRunResult
  await setting.server.context.duties.perform('watchdog')
  expect(await textsOf(userId)).toEqual([])
  expect(setting.model.requests).toHaveLength(1)
})

test('near-duplicates are stored once, outdated ones are deleted, and so are the oldest above the limit', async () => {
  const { agentId } = await setting.agent({ memory: { user_memories: { enabled: true, max: 3 } } })
  const user_id = randomUUID()
  let calls = 0
  const say = async (remember: string[], forget: number[] = []) => {
    calls += 2
    setting.model.reset()
    setting.model.script('Ok', learnt(remember, forget))
    await setting.run(agentId, { message: 'x', user_id })
    await expect.poll(() => callsOf(user_id)).toBe(calls)
  }
  await say(['Ana lives in Oslo.'])
  await expect.poll(() => textsOf(user_id)).toEqual(['Ana lives in Oslo.'])
  await say(['ana lives in Oslo', 'Ana has a dog named Rex.'])
  await expect.poll(() => textsOf(user_id)).toHaveLength(2)
  await say(['Ana has two dogs.'], [1, 99])
  await expect.poll(() => textsOf(user_id)).toContain('Ana has two dogs.')
  expect(await textsOf(user_id)).toHaveLength(2)
  await say(['Ana plays chess.', 'Ana works nights.', 'Ana sings in a choir.'])
  await expect
    .poll(async () => (await textsOf(user_id)).toSorted())
    .toEqual(['Ana plays chess.', 'Ana sings in a choir.', 'Ana works nights.'])
})

test('jobs and streams learn and remember', async () => {
  const user_id = randomUUID()
  const { agentId } = await setting.agent(LEARNS)
  setting.model.script('Done', learnt(['Ana is a pilot.']))
  await call(`POST /api/v1/agents/${agentId}/run-async`, { body: { message: 'I fly.', user_id } })
  await expect.poll(() => textsOf(user_id)).toEqual(['Ana is a pilot.'])
  setting.model.reset()
  setting.model.script('Done', learnt(['Ana is from Bergen.']))
  const { app, seed } = setting.server
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const stream = await readEvents(`http://127.0.0.1:${port}/api/v1/agents/${agentId}/run-stream`, {
    method: 'POST',
    headers: { 'x-api-key': seed.keys.organization, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello', user_id }),
  })
  await stream.ended
  expect(systemOf(0)).toContain('Ana is a pilot.')
  await expect.poll(() => textsOf(user_id)).toContain('Ana is from Bergen.')
})

test('a team and each member have their own memories', async () => {
  const { organizationId } = setting.server.seed
  const { llmConfigId } = setting
  const user_id = randomUUID()
  const { teamId, agentIds } = await seedTeam(setting.server.context.database, {
    organizationId,
    projectId: null,
    members: ['Billing', 'Support'],
    config: {
      mode: 'dynamic-delegation',
      lead: { managed: { instructions: 'You lead.', model: { primary: { llm_config_id: llmConfigId } } } },
      memory: { user_memories: { enabled: true } },
    },
    memberConfig: () => ({
      model: {
        ...AGENT_CONFIG_DEFAULTS.model,
        primary: { ...AGENT_CONFIG_DEFAULTS.model.primary, llm_config_id: llmConfigId },
      },
      memory: {
        history: { enabled: true, max_runs: null, max_tokens: null, tool_traffic_runs: 2 },
        summary: { enabled: true, trigger_tokens: 6000 },
        user_memories: { enabled: true, scope: 'agent', max: 200 },
      },
    }),
  })
  const member = { organizationId, projectId: null, kind: 'agent', entityId: agentIds[0] as never } as const
  const team = { organizationId, projectId: null, kind: 'team', entityId: teamId } as const
  const { memories } = setting.server.context.database
  const add = (text: string) => ({ add: [{ text, fingerprint: text }], forget: [] })
  await memories.change({ ...member, scope: 'agent', userId: user_id }, add('Known to the member.'), 9)
  await memories.change({ ...team, scope: 'agent', userId: user_id }, add('Known to the team.'), 9)
  setting.model.reset()
  setting.model.script(
    { toolCalls: [{ name: 'delegate', arguments: { member: 'm1', task: 'Look.' } }] },
    'Looked.',
    'All done.',
    learnt([]),
    learnt([]),
  )
  const { status } = await call(`POST /api/v1/teams/${teamId}/run-sync`, { body: { message: 'Go', user_id } })
  expect(status).toBe(200)
  expect(systemOf(0)).toContain('Known to the team.')
  expect(JSON.stringify(setting.model.requests.map(({ body }) => body.messages))).toContain(
    'Known to the member.',
  )
  await expect.poll(() => setting.model.requests.length).toBe(5)
})

test('an AI Agent node uses and adds its agent’s memories of the named user', async () => {
  const { server } = setting
  const { agentId } = await setting.agent({
    ...LEARNS,
    tools: [{ type: 'builtin', name: 'memory', builtin: 'memory' }],
  })
  const user_id = randomUUID()
  const ask = { agentId, message: '{{ trigger.text }}', userId: '{{ trigger.user }}' }
  const workflowId = await seedWorkflow(server.context.database, {
    organizationId: server.seed.organizationId,
    projectId: null,
    graph: {
      nodes: [node('start', 'manual-trigger'), node('ask', 'ai-agent', ask)],
      edges: [edge('start', 'ask')],
    },
  })
  const run = async (input: object) => {
    const { body } = await call(`POST /api/v1/workflows/${workflowId}/run`, { body: { input } })
    expect(body).toMatchObject({ status: 'completed' })
  }
  const save = { action: 'save', text: 'Ana is allergic to nuts.' }
  setting.model.script(
    { toolCalls: [{ name: 'memory', arguments: save }] },
    'Noted.',
    learnt(['Ana drinks tea.']),
  )
  await run({ text: 'I drink tea, no nuts.', user: user_id })
  await expect
    .poll(async () => (await textsOf(user_id)).toSorted())
    .toEqual(['Ana drinks tea.', 'Ana is allergic to nuts.'])
  setting.model.reset()
  setting.model.script('Tea.', learnt([]))
  await run({ text: 'What do I drink?', user: user_id })
  expect(systemOf(0)).toContain('- Ana drinks tea.')
  await expect.poll(() => setting.model.requests.length).toBe(2)
  setting.model.reset()
  await run({ text: 'What do I drink?', user: '' })
  await server.context.duties.perform('watchdog')
  expect(JSON.stringify(setting.model.requests)).not.toContain('Ana drinks')
  expect(setting.model.requests).toHaveLength(1)
})

test('the memory tool saves, finds and deletes for the user of the run', async () => {
  const memory = { type: 'builtin', name: 'memory', builtin: 'memory' }
  const { agentId } = await setting.agent({ tools: [memory] })
  const user_id = randomUUID()
  const use = (args: object) => ({ toolCalls: [{ name: 'memory', arguments: args }] })
  setting.model.script(use({ action: 'save', text: 'Ana is allergic to nuts.' }), 'Saved.')
  await setting.run(agentId, { message: 'No nuts.', user_id })
  const [saved] = await kept(user_id)
  setting.model.script(
    use({ action: 'search', text: 'nuts?' }),
    use({ action: 'forget', id: saved?.memoryId }),
    use({ action: 'forget', id: randomUUID() }),
    'Gone.',
  )
  const { body } = await setting.run(agentId, { message: 'Forget it.', user_id, include_messages: true })
  const results = (body as AgentRunResult).messages?.filter(({ role }) => role === 'tool')
  expect(results?.map(({ content }) => content)).toEqual([
    expect.stringContaining('allergic to nuts'),
    'Forgotten.',
    expect.stringContaining('There is no memory with this id.'),
  ])
  expect(await kept(user_id)).toEqual([])
  setting.model.script(use({ action: 'search' }), 'No user.')
  const anonymous = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(JSON.stringify(anonymous.body)).toContain('missing_context')
})

test('a user is deleted in one call, including pending learning of a run', async () => {
  const { agentId } = await setting.agent(LEARNS)
  const user_id = randomUUID()
  setting.model.script('Ok', { ...learnt(['Ana is late.']), firstTokenDelayMs: 500 })
  await setting.run(agentId, { message: 'I am late.', user_id })
  await expect.poll(() => setting.model.requests.length).toBe(2)
  expect((await call(`DELETE /api/v1/memories?user_id=${user_id}`)).status).toBe(204)
  // The cost of the call is recorded although its result is discarded.
  await expect.poll(() => callsOf(user_id)).toBe(2)
  expect(await kept(user_id)).toEqual([])
})

test('an impossible user id has nothing to delete', async () => {
  expect((await call('DELETE /api/v1/memories?user_id=a%00b')).status).toBe(204)
})

test('the cost of learning is recorded even if its result cannot be stored', async () => {
  const { agentId } = await setting.agent(LEARNS)
  const user_id = randomUUID()
  using learned = vi.spyOn(setting.server.context.runs.deps.memories, 'learned')
  learned.mockRejectedValueOnce(new Error('deadlock detected'))
  setting.model.script('Ok', learnt(['Ana is late.']))
  await setting.run(agentId, { message: 'I am late.', user_id })
  await expect.poll(() => callsOf(user_id)).toBe(2)
  expect(await kept(user_id)).toEqual([])
})
