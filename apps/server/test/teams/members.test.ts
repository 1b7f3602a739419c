import type { CoordinationMode } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BROKEN, broadcast, delegate, plan, review, route } from './lead-decisions.ts'
import { everything, lastMessage, toolOf } from './model-requests.ts'
import { all } from './stream-rules.ts'
import { startTeamSetting, type TeamSetting } from './team-setting.ts'
import { tokensOf } from './written-rows.ts'

let setting: TeamSetting
beforeAll(async () => {
  setting = await startTeamSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.play({}))

const t1 = { id: 't1', assignee: 'm1' }
const DONE = review('complete', { evidence: ['t1'] })

describe('members', () => {
  test('a failure is reported and its gap can be named; the run succeeds', async () => {
    const team = await setting.team('dynamic-delegation')
    setting.play({ lead: [delegate(['m1', 'x']), 'Ada could not.'], m1: BROKEN })
    const { success, content } = await setting.result(team, { message: 'Hi.' })
    expect([success, content]).toEqual([true, 'Ada could not.'])
    expect(lastMessage(setting.calls('lead')[1])).toMatch(/status="error">\n.+\n<\/member_result>/)
    expect(lastMessage(setting.calls('lead')[1])).not.toContain('exploded')
  })

  test('an empty answer is a failure of the member, never an answer', async () => {
    const team = await setting.team('parallel')
    setting.play({ lead: [broadcast('x'), 'Done.'], m1: { text: '' }, m2: 'B', m3: 'C' })
    await setting.result(team, { message: 'Hi.' })
    expect(lastMessage(setting.calls('lead')[1])).toContain('member="m1 (Ada)" status="error"')
  })

  test('too few successful members fail the run before the synthesis', async () => {
    const team = await setting.team('parallel', { config: { min_successful_members: 2 } })
    setting.play({ lead: [broadcast('x')], m1: 'A', m2: BROKEN, m3: BROKEN })
    const { status, body } = await setting.run(team, { message: 'Hi.' })
    expect([status, (body as { message: string }).message]).toEqual([
      502,
      expect.stringMatching(/^Too few members answered \(1 of at least 2\)\. Failed: Ben, Cleo\. /),
    ])
    expect(setting.calls('lead')).toHaveLength(1)
  })

  test('a refusal is the answer in handoff, without success', async () => {
    const team = await setting.team('handoff')
    setting.play({ lead: route('m1', 'x'), m1: { text: 'I cannot.', finishReason: 'content_filter' } })
    expect(await setting.result(team, { message: 'Hi.' })).toMatchObject({
      success: false,
      content: 'I cannot.',
    })
    expect(setting.calls()).toHaveLength(2)
  })

  test('a refusal is a result for a synthesis, and the failure of a task', async () => {
    const refusal = { text: 'I cannot.', finishReason: 'content_filter' }
    const parallel = await setting.team('parallel')
    setting.play({ lead: [broadcast('x'), 'Done.'], m1: refusal, m2: 'B', m3: 'C' })
    await setting.result(parallel, { message: 'Hi.' })
    expect(lastMessage(setting.calls('lead')[1])).toContain('status="refused">\nI cannot.\n')
    const planned = await setting.team('plan-execute', { config: { limits: { max_iterations: 1 } } })
    setting.play({ lead: [plan(t1), DONE, 'Done.'], m1: refusal })
    expect(await setting.result(planned, { message: 'Hi.' })).toMatchObject({
      success: false,
      plan: { tasks: [{ id: 't1', status: 'failed' }] },
    })
  })

  test('a member without a connected model has its own error and never uses the model of the lead', async () => {
    const { disconnected } = setting.server.seed.llm
    const team = await setting.team('parallel', {
      model: { m1: { primary: { llm_config_id: disconnected } } },
    })
    setting.play({ lead: [broadcast('x'), 'Done.'], m2: 'B', m3: 'C' })
    await setting.result(team, { message: 'Hi.' })
    expect(setting.calls()).toHaveLength(4)
    expect(lastMessage(setting.calls('lead')[1])).toContain(
      'status="error">\nIt has no connected LLM configuration with a model that it may use.',
    )
  })

  test('an archived member is removed from the pool, and the keys of the others are unchanged', async () => {
    const team = await setting.team('handoff')
    const { database, catalog } = setting.server.context
    const { organizationId } = setting.server.seed
    const record = await database.read.agents.byId(organizationId, team.agentIds[0] as never)
    if (!record) throw new Error('no agent')
    await database.transaction(({ write }) =>
      write.agents.update(
        { ...record, status: 'archived' },
        { kind: 'system', id: null, ip: null, requestId: null },
      ),
    )
    catalog.forget(organizationId)
    setting.play({ lead: route('m3', 'x'), m3: 'C' })
    expect((await setting.result(team, { message: 'Hi.' })).content).toBe('C')
    expect(toolOf(setting.calls('lead')[0])?.parameters.properties?.member?.enum).toEqual(['m2', 'm3'])
  })

  test('the tool calls of a member are not visible to the lead', async () => {
    const team = await setting.team('dynamic-delegation')
    setting.play({
      lead: [delegate(['m1', 'x']), 'Done.'],
      m1: [{ text: 'Thinking.', toolCalls: [{ name: 'lookup', arguments: { q: 'secret' } }] }, 'Found.'],
    })
    await setting.result(team, { message: 'Hi.' })
    const seen = everything(setting.calls('lead')[1] ?? ({ body: {} } as never))
    expect(seen).toContain('\nFound.\n')
    expect(seen).not.toMatch(/lookup|secret|Thinking/)
  })

  test('a promoted lead acts as a member if its mode allows it', async () => {
    const handoff = await setting.team('handoff', { promoted: true })
    setting.play({ lead: ({ body }) => (body.tools ? route('self', 'Mine.') : 'By myself.') })
    const own = await setting.result(handoff, { message: 'Hi.', include_messages: true })
    expect(own.content).toBe('By myself.')
    expect(toolOf(setting.calls('lead')[0])?.parameters.properties?.member?.enum).toEqual([
      'm1',
      'm2',
      'm3',
      'self',
    ])
    expect(own.messages?.at(-1)).toMatchObject({ agentId: handoff.leadId, agentName: 'Lena' })

    const planned = await setting.team('plan-execute', { promoted: true })
    setting.play({
      lead: (_call, n) =>
        [plan({ id: 't1', assignee: 'lead' }), { text: 'My part.' }, DONE, { text: 'Done.' }][n] ?? {},
    })
    const result = await setting.result(planned, { message: 'Hi.' })
    expect(result.plan?.tasks).toMatchObject([{ status: 'completed', assigneeAgentId: planned.leadId }])

    const parallel = await setting.team('parallel', { promoted: true })
    setting.play({ lead: [broadcast('x'), 'Done.'], m1: 'A', m2: 'B', m3: 'C' })
    await setting.result(parallel, { message: 'Hi.' })
    expect(setting.calls('lead')).toHaveLength(2)
  })
})

describe('failover', () => {
  test('is per member, with the parameters of the fallback and no inherited reasoning effort', async () => {
    const spare = await setting.runs.connect(setting.model.url)
    const team = await setting.team('parallel', {
      apart: true,
      model: {
        m1: {
          primary: { temperature: 0.9, top_p: 0.5, reasoning_effort: 'high', max_output_tokens: 77 },
          fallbacks: [{ llm_config_id: spare, model_id: 'spare', temperature: 0.1 }],
        },
      },
    })
    setting.play({
      lead: [broadcast('x'), 'Done.'],
      m1: BROKEN,
      m2: 'B',
      m3: BROKEN,
      spare: 'From the spare.',
    })
    const { metrics } = await setting.result(team, { message: 'Hi.' })
    expect(metrics.failoverUsed).toBe(true)
    expect(setting.calls('m1')[0]?.body).toMatchObject({
      temperature: 0.9,
      top_p: 0.5,
      reasoning_effort: 'high',
      max_tokens: 77,
    })
    const [fallback, ...others] = setting.calls('spare')
    expect(others).toEqual([])
    expect(fallback?.body).toMatchObject({ temperature: 0.1 })
    for (const key of ['top_p', 'reasoning_effort', 'max_tokens'])
      expect(fallback?.body).not.toHaveProperty(key)
    const results = lastMessage(setting.calls('lead')[1])
    expect(results).toContain('status="ok">\nFrom the spare.')
    expect(results).toContain('member="m3 (Cleo)" status="error"')
  })

  test('a decision keeps its tool and its temperature on the fallback of the lead', async () => {
    const spare = await setting.runs.connect(setting.model.url)
    const team = await setting.team('handoff', {
      apart: true,
      model: {
        lead: {
          primary: { temperature: 0.8 },
          fallbacks: [{ llm_config_id: spare, model_id: 'spare', temperature: 0.7 }],
        },
      },
    })
    setting.play({ lead: BROKEN, spare: route('m2', 'x'), m2: 'B' })
    const { content, metrics } = await setting.result(team, { message: 'Hi.' })
    expect([content, metrics.failoverUsed]).toEqual(['B', true])
    expect(setting.calls('spare')[0]?.body).toMatchObject({
      temperature: 0,
      tool_choice: { type: 'function', function: { name: 'route' } },
      tools: [{ function: { name: 'route' } }],
    })
  })

  test('failoverUsed is false if only attempts on the fallback failed, and true for any successful one', async () => {
    const spare = await setting.runs.connect(setting.model.url)
    const fallbacks = [{ llm_config_id: spare, model_id: 'spare' }]
    const team = await setting.team('parallel', { apart: true, model: { m1: { fallbacks } } })
    setting.play({ lead: [broadcast('x'), 'Done.'], m1: BROKEN, m2: 'B', m3: 'C', spare: BROKEN })
    expect((await setting.result(team, { message: 'Hi.' })).metrics.failoverUsed).toBe(false)
    setting.play({ lead: [broadcast('x'), 'Done.'], m1: BROKEN, m2: 'B', m3: 'C', spare: 'A' })
    expect((await setting.result(team, { message: 'Hi.' })).metrics.failoverUsed).toBe(true)
  })

  test('the tokens of failed attempts count, and the ledger assigns them', async () => {
    const spare = await setting.runs.connect(setting.model.url)
    const team = await setting.team('dynamic-delegation', {
      apart: true,
      model: { m1: { fallbacks: [{ llm_config_id: spare, model_id: 'spare' }] } },
    })
    setting.play({
      lead: [delegate(['m1', 'x']), 'Done.'],
      m1: { error: { after: 0, message: 'overloaded' }, usage: { inputTokens: 7, outputTokens: 3 } },
      spare: 'A',
    })
    const { runId, metrics } = await setting.result(team, { message: 'Hi.' })
    expect(metrics).toMatchObject({ inputTokens: 37, outputTokens: 18, failoverUsed: true })
    const ledger = setting.rows.ledger(runId)
    expect(tokensOf(ledger)).toEqual({ inputTokens: 37, outputTokens: 18 })
    const [member] = setting.rows.members(runId)
    expect(
      ledger.map(({ purpose, modelId, ok, isFallback, agentId, memberRunId }) => [
        purpose,
        modelId,
        ok,
        isFallback,
        agentId,
        memberRunId,
      ]),
    ).toEqual([
      ['chat', 'lead', true, false, null, null],
      ['chat', 'm1', false, false, team.agentIds[0], member?.runId],
      ['chat', 'spare', true, true, team.agentIds[0], member?.runId],
      ['chat', 'lead', true, false, null, null],
    ])
    expect(member).toMatchObject({ inputTokens: 17, outputTokens: 8, failoverUsed: true })
  })

  test('the ledger has the purpose of each call of a lead', async () => {
    const purposes = async (mode: CoordinationMode, cast: Parameters<TeamSetting['play']>[0]) => {
      const team = await setting.team(mode)
      setting.play(cast)
      const { runId } = await setting.result(team, { message: 'Hi.' })
      return setting.rows.ledger(runId).flatMap(({ agentId, purpose }) => (agentId === null ? [purpose] : []))
    }
    expect(await purposes('handoff', { lead: route('m1', 'x'), m1: 'A' })).toEqual(['route'])
    expect(await purposes('parallel', { lead: [broadcast('x'), 'y'], m1: 'A', m2: 'B', m3: 'C' })).toEqual([
      'broadcast',
      'synthesis',
    ])
    expect(await purposes('plan-execute', { lead: [plan(t1), DONE, 'y'], m1: 'A' })).toEqual([
      'plan',
      'review',
      'report',
    ])
  })
})

test('a stream has members’ own name, task and tokens', async () => {
  const team = await setting.team('dynamic-delegation')
  setting.play({ lead: [delegate(['m1', 'One.'], ['m2', 'Two.']), 'Done.'], m1: 'A', m2: BROKEN })
  const stream = await setting.stream(team, { message: 'Hi.' })
  await stream.ended
  expect(all(stream.events, 'MemberRunStarted').map(({ member, task }) => `${member.name}: ${task}`)).toEqual(
    ['Ada: One.', 'Ben: Two.'],
  )
  expect(all(stream.events, 'MemberRunCompleted')).toMatchObject([
    { member: { name: 'Ada', agentId: team.agentIds[0] }, content: 'A', inputTokens: 10, outputTokens: 5 },
  ])
  expect(all(stream.events, 'MemberRunError')).toMatchObject([
    {
      member: { name: 'Ben' },
      error: { code: 'upstream_error', message: expect.not.stringContaining('exploded') },
    },
  ])
})
