import { randomUUID } from 'node:crypto'
import type { AgentPrompt, ModelCallPreview, TeamDetails, TeamPrompts } from '@troupe/contract/builder'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { conversation, type RunSetting } from '../runs/model-agent.ts'
import type { BuilderClient } from './builder-caller.ts'
import { type PlaygroundSetting, startPlayground } from './playground-setting.ts'

let playground: PlaygroundSetting
let setting: RunSetting
let eva: BuilderClient
beforeAll(async () => {
  playground = await startPlayground()
  ;({ setting, eva } = playground)
})
afterAll(() => playground[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const model = () => playground.model()
const agentOf: PlaygroundSetting['agentOf'] = (config) => playground.agentOf(config)
const teamOf: PlaygroundSetting['teamOf'] = (config) => playground.teamOf(config)
const play: PlaygroundSetting['play'] = (path, body) => playground.play(path, body)

const textsOf = ({ system, messages }: ModelCallPreview) => [
  ...(system === null ? [] : [`system: ${system}`]),
  ...messages.map(({ role, content }) => `${role}: ${content}`),
]

const partsOf = ({ system, messages, parts }: AgentPrompt) =>
  parts.map(({ from, message, start, end }) => {
    const text = message === null ? system : messages[message]?.content
    return [from, text?.slice(start, end)]
  })

const toolsOf = (request: RunSetting['model']['requests'][number] | undefined) =>
  ((request?.body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name)

describe('the prompt of an agent', () => {
  test('is the exact request to the model, with the setting of each part', async () => {
    const config = {
      model: model(),
      instructions: 'Be brief.',
      prompt: { add_agent_name: true, expected_output: 'One line.' },
      tools: [{ type: 'builtin', name: 'calculator', builtin: 'calculator' }],
    }
    const { agentId } = await agentOf()
    const session_id = randomUUID()
    const draft = { name: 'Bea', config }
    await play(`/agents/${agentId}`, { message: 'First', session_id, draft })
    setting.model.reset()
    const { status, body } = await eva.send(`POST /agents/${agentId}/prompt`, {
      message: 'Second',
      sessionId: session_id,
      draft,
    })
    expect(status).toBe(200)
    expect(setting.model.requests).toEqual([])
    const shown = body as AgentPrompt
    await play(`/agents/${agentId}`, { message: 'Second', session_id, draft })
    const [request] = setting.model.requests
    expect(textsOf(shown)).toEqual(conversation(request))
    expect(shown.tools.map(({ name }) => name)).toEqual(toolsOf(request))
    expect(shown.model).toEqual({ llmConfigId: setting.llmConfigId, modelId: 'scripted-1' })
    expect(shown.estimatedTokens).toBeGreaterThan(20)
    expect(partsOf(shown)).toEqual([
      ['instructions', 'Be brief.'],
      ['prompt.add_agent_name', 'Your name is Bea.'],
      ['prompt.expected_output', '<expected_output>\nOne line.\n</expected_output>'],
      ['memory.history', 'First'],
      ['memory.history', expect.any(String)],
      ['message', 'Second'],
    ])
    expect(JSON.stringify(shown)).not.toContain(setting.model.url)
  })

  test('is also shown for an archived agent, because nothing runs', async () => {
    const { agentId } = await agentOf({ model: model(), instructions: 'Be brief.' })
    await eva.send(`PUT /agents/${agentId}/status`, { status: 'archived' })
    const { status, body } = await eva.send(`POST /agents/${agentId}/prompt`, { message: 'Hello' })
    expect([status, textsOf(body as AgentPrompt)]).toEqual([200, ['system: Be brief.', 'user: Hello']])
  })

  test('of an agent without a usable configuration has the reason', async () => {
    const { agentId } = await agentOf()
    const draft = { config: { model: { primary: { llm_config_id: setting.server.seed.llm.disconnected } } } }
    expect(await eva.send(`POST /agents/${agentId}/prompt`, { message: 'x', draft })).toMatchObject({
      status: 422,
      body: { error: 'llm_configuration_not_found' },
    })
  })
})

describe('the prompts of a team', () => {
  const promptsOf = async (team: TeamDetails, more: object = {}) => {
    const { status, body } = await eva.send(`POST /teams/${team.teamId}/prompts`, {
      message: 'Help me',
      ...more,
    })
    expect([status, body]).toEqual([200, expect.anything()])
    return (body as TeamPrompts).calls
  }

  test.each([
    { mode: 'handoff', keys: ['route:0', 'member:m1:0', 'member:m2:0'] },
    { mode: 'parallel', keys: ['broadcast', 'member:m1:0', 'member:m2:0', 'synthesis'] },
    { mode: 'dynamic-delegation', keys: ['step:0', 'call:0.0/m1', 'call:0.1/m2', 'step:1'] },
    { mode: 'plan-execute', keys: ['plan', 'task:t1:1', 'task:t2:1', 'review:1', 'report'] },
  ])('of the mode $mode show the lead and every member', async ({ mode, keys }) => {
    const team = await teamOf({ mode })
    const calls = await promptsOf(team)
    expect(calls.map(({ key }) => key)).toEqual(keys)
    const agents = team.agents.map(({ agentId }) => agentId)
    const members = calls.filter(({ who }) => who.role === 'member').map(({ who }) => who.agentId)
    expect(members.toSorted()).toEqual(agents.toSorted())
    expect(setting.model.requests).toEqual([])
  })

  test('are the exact requests to the models', async () => {
    const team = await teamOf({ toggles: { add_team_name: true } })
    const calls = await promptsOf(team)
    const task = calls.find(({ key }) => key === 'member:m2:0')?.messages[0]?.content
    expect(task).toContain('‹')
    setting.model.script(
      { toolCalls: [{ name: 'route', arguments: { member: 'm2', task: '‹task that Crew writes›' } }] },
      'Done.',
    )
    await play(`/teams/${team.teamId}`, { message: 'Help me' })
    const [route, member] = setting.model.requests
    expect(calls.filter(({ key }) => key !== 'member:m1:0').map(textsOf)).toEqual([
      conversation(route),
      conversation(member),
    ])
    expect(calls[0]?.tools.map(({ name }) => name)).toEqual(toolsOf(route))
  })

  test('change with a toggle of a draft, and name the settings that they depend on', async () => {
    const team = await teamOf()
    const toggled = { ...team.config, toggles: { auto_member_input: false } }
    const [off, on] = [await promptsOf(team, { draft: { config: toggled } }), await promptsOf(team)]
    expect(off.at(-1)?.messages).toEqual([{ role: 'user', content: 'Help me' }])
    expect(on.at(-1)?.messages).not.toEqual(off.at(-1)?.messages)
    expect(on.at(-1)?.dependsOn).toContain('toggles.auto_member_input')
  })

  test('exist before the team is saved', async () => {
    const { name, config } = await teamOf()
    const { status, body } = await eva.send('POST /teams/prompts', {
      draft: { name, config },
      message: 'Help me',
    })
    expect(status).toBe(200)
    expect((body as TeamPrompts).calls.map(({ key }) => key)).toEqual([
      'route:0',
      'member:m1:0',
      'member:m2:0',
    ])
  })
})
