import type { Agent, AgentRunResult } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startToolSetting, type ToolSetting } from '../tools/tool-setting.ts'
import { type ProviderAnswer, type ProviderRequest, startProvider } from './provider-double.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const CALCULATOR = { type: 'builtin', name: 'calculate', builtin: 'calculator' }
const DONE = 'data: [DONE]\n\n'

/** Claude's events: https://platform.claude.com/docs/en/build-with-claude/streaming, section Streaming with extended thinking. */
const block = (index: number, start: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block: start },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const claude = (reason: string, ...blocks: object[][]): ProviderAnswer => [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } },
    },
  },
  ...blocks.flat(),
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]
const thought = (signature: string) =>
  block(
    0,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: `SECRET-${signature}` },
    { type: 'signature_delta', signature },
  )
const text = (index: number, words: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: words })

type Blocks = {
  type: string
  id?: string
  tool_use_id?: string
  text?: string
  thinking?: string
  signature?: string
}[]

/**
 * Claude's reasons for refusing a request with thinking: a call of the last turn without its thought (section Preserving thinking
 * blocks of the same guide), a changed thought, results without calls, and blank texts.
 */
function refusedByClaude({ messages, thinking }: ProviderRequest): string | null {
  const turns = messages as { role: string; content: Blocks }[]
  if (thinking?.type !== 'enabled') return 'no thinking'
  for (const { content } of turns) {
    if (content.some((part) => part.type === 'text' && (part.text ?? '').trim() === '')) return 'blank text'
    if (content.some((part) => part.type === 'thinking' && part.thinking !== `SECRET-${part.signature}`))
      return 'changed thought'
  }
  const last = turns.findLast(({ role }) => role === 'assistant')?.content ?? []
  const result = turns.at(-1)?.content.find(({ type }) => type === 'tool_result')
  if (!result) return null
  if (last[0]?.type !== 'thinking') return 'a turn with a call must start with a thinking block'
  return last.some(({ id }) => id === result.tool_use_id) ? null : 'a result without its call'
}

let calls = 0
function answerOfClaude(body: ProviderRequest): ProviderAnswer {
  const refusal = refusedByClaude(body)
  if (refusal !== null)
    return {
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error', message: refusal } },
    }
  const last = (body.messages.at(-1)?.content ?? []) as Blocks
  if (last.some(({ type }) => type === 'tool_result'))
    return claude('end_turn', thought('AFTER'), text(1, 'It is 42.'))
  calls += 1
  const call = { type: 'tool_use', id: `toolu_${calls}`, name: 'calculate', input: {} }
  const input = { type: 'input_json_delta', partial_json: '{"expression":"6*7"}' }
  return claude('tool_use', thought('BEFORE'), text(1, '\n\n'), block(2, call, input))
}

const THINKS = { provider_options: { thinking: { type: 'enabled', budgetTokens: 1024 } } }

async function claudeAgent(url: string, config: object = {}): Promise<Agent> {
  const llm = await setting.connect(url, 128_000, 'anthropic')
  const primary = { llm_config_id: llm, model_id: 'claude-sonnet-4-5', ...THINKS }
  return setting.agent({ tools: [CALCULATOR], model: { primary }, ...config })
}

describe('Claude with thinking and a tool', () => {
  const ways = {
    run: async ({ agentId }: Agent) => (await setting.answer(agentId, 'What is 6*7?')).content,
    stream: async ({ agentId }: Agent) => {
      const events = await setting.events(agentId, 'What is 6*7?')
      expect(JSON.stringify(events)).not.toMatch(/BEFORE|AFTER|SECRET/)
      return (events.at(-1) as unknown as { result: AgentRunResult }).result.content
    },
    job: async ({ agentId }: Agent) =>
      (await setting.ended(await setting.enqueue(agentId, 'What is 6*7?'))).result?.content,
  }
  test.each(Object.entries(ways))('answers a %s', async (_, ask) => {
    await using provider = await startProvider(answerOfClaude)
    expect(await ask(await claudeAgent(provider.url))).toBe('It is 42.')
  })

  test('answers later messages of a session, which get every thought back and show none', async () => {
    await using provider = await startProvider(answerOfClaude)
    const { agentId } = await claudeAgent(provider.url)
    const body = { session_id: 'thinks', include_messages: true }
    for (const message of ['What is 6*7?', 'And again?', 'Once more.']) {
      const result = await setting.answer(agentId, message, body)
      expect(result.content).toBe('It is 42.')
      expect(JSON.stringify(result)).not.toMatch(/BEFORE|AFTER|SECRET/)
    }
    const turns = provider.requests.at(-1)?.messages as { role: string; content: Blocks }[]
    const signatures = turns.flatMap(({ content }) => content.flatMap(({ signature }) => signature ?? []))
    expect(signatures).toEqual(['BEFORE', 'AFTER', 'BEFORE', 'AFTER', 'BEFORE'])
  })

  test('is a fallback in the middle of a turn: its request has thinking off and calls without thoughts', async () => {
    await using provider = await startProvider((body) => {
      if (body.thinking?.type === 'disabled') return claude('end_turn', text(0, 'It is 42.'))
      return answerOfClaude(body)
    })
    const fallback = await setting.connect(provider.url, 128_000, 'anthropic')
    setting.model.reset()
    setting.model.script(setting.calls('calculate', { expression: '6*7' }), { status: 500 }, { status: 500 })
    const { agentId } = await setting.agent({
      tools: [CALCULATOR],
      model: {
        fallbacks: [{ llm_config_id: fallback, model_id: 'claude-sonnet-4-5', on: ['error'], ...THINKS }],
      },
    })
    expect(await setting.answer(agentId, 'What is 6*7?')).toMatchObject({
      content: 'It is 42.',
      metrics: { failoverUsed: true },
    })
    expect(provider.requests).toHaveLength(1)
  })
})

/** DeepSeek's chunks: https://api-docs.deepseek.com/api/create-chat-completion. */
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
})
const CHAT_CALL = {
  tool_calls: [
    {
      index: 0,
      id: 'call_00_x',
      type: 'function',
      function: { name: 'calculate', arguments: '{"expression":"6*7"}' },
    },
  ],
}

test('DeepSeek gets its reasoning_content back with every message, in the run and in later ones', async () => {
  await using provider = await startProvider((body) => {
    const lacking = body.messages.some(
      ({ role, reasoning_content: told }) => role === 'assistant' && told === undefined,
    )
    if (lacking)
      return { status: 400, error: { error: { message: 'The reasoning_content … must be passed back.' } } }
    const isCalled = body.messages.at(-1)?.role === 'tool'
    const said = isCalled ? chunk({ content: '42' }) : chunk(CHAT_CALL)
    return [chunk({ reasoning_content: 'SECRET' }), said, chunk({}, isCalled ? 'stop' : 'tool_calls')]
  }, DONE)
  const llm = await setting.connect(provider.url)
  const { agentId } = await setting.agent({
    tools: [CALCULATOR],
    model: { primary: { llm_config_id: llm, model_id: 'deepseek-v4-flash' } },
  })
  for (let turn = 0; turn < 4; turn += 1)
    expect(await setting.answer(agentId, 'What is 6*7?', { session_id: 'deep' })).toMatchObject({
      content: '42',
    })
  expect(
    provider.requests.at(-1)?.messages.filter(({ reasoning_content: told }) => told === 'SECRET'),
  ).toHaveLength(6)
})

/** OpenAI's events: https://platform.openai.com/docs/api-reference/responses-streaming. */
function openai(...items: object[]): ProviderAnswer {
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'in_progress',
    model: 'gpt-5.1',
    output: [],
  }
  return [
    { type: 'response.created', response },
    ...items.flatMap((item, output_index) => {
      const { type, content, id } = item as { type: string; id: string; content?: { text: string }[] }
      const delta = { type: 'response.output_text.delta', item_id: id, output_index, content_index: 0 }
      return [
        {
          type: 'response.output_item.added',
          output_index,
          item: type === 'message' ? { ...item, content: [] } : item,
        },
        ...(content ?? []).map((part) => ({ ...delta, delta: part.text })),
        { type: 'response.output_item.done', output_index, item },
      ]
    }),
    {
      type: 'response.completed',
      response: {
        ...response,
        status: 'completed',
        usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
      },
    },
  ]
}
const said = (id: string, phase: string, words: string) => ({
  ...{ type: 'message', id, role: 'assistant', status: 'completed', phase },
  content: [{ type: 'output_text', text: words, annotations: [] }],
})

test('encrypted reasoning and phases of OpenAI are sent back, and only the final answer is content', async () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENCRYPTED' }
  const call = {
    ...{ type: 'function_call', id: 'fc_1', call_id: 'call_A', name: 'calculate', status: 'completed' },
    arguments: '{"expression":"6*7"}',
  }
  await using provider = await startProvider(({ input }) =>
    input.at(-1)?.type === 'function_call_output'
      ? openai(reasoning, said('msg_2', 'commentary', 'Almost.'), said('msg_3', 'final_answer', 'It is 42.'))
      : openai(reasoning, said('msg_1', 'commentary', 'I will calculate.'), call),
  )
  const llm = await setting.connect(provider.url, 128_000, 'openai')
  const { agentId } = await setting.agent({
    tools: [CALCULATOR],
    model: { primary: { llm_config_id: llm, model_id: 'gpt-5.1' } },
  })
  const session = { session_id: 'told', include_messages: true }
  for (const message of ['What is 6*7?', 'Thanks.']) {
    const result = await setting.answer(agentId, message, session)
    expect(result.content).toBe('It is 42.')
    expect(result.messages?.at(-1)?.content).toBe('It is 42.')
    expect(JSON.stringify(result)).not.toMatch(/ENCRYPTED|phase/)
  }
  const earlier = [
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'ENCRYPTED', summary: [] },
    { role: 'assistant', content: 'I will calculate.', phase: 'commentary' },
    { type: 'function_call', call_id: 'call_A', name: 'calculate', arguments: '{"expression":"6*7"}' },
    { type: 'function_call_output', call_id: 'call_A', output: '42' },
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'ENCRYPTED', summary: [] },
    { role: 'assistant', content: 'Almost.', phase: 'commentary' },
    { role: 'assistant', content: 'It is 42.', phase: 'final_answer' },
  ]
  expect(provider.requests[2]?.input.slice(1, 8)).toEqual(earlier)
})

test('the next message knows the tool calls of a failed run, and of one without an answer', async () => {
  const { agentId } = await setting.agent({ tools: [CALCULATOR] })
  const call = setting.calls('calculate', { expression: '6*7' })
  const session = { session_id: 'acted' }
  setting.model.reset()
  setting.model.script(call, { status: 400 })
  expect((await setting.run(agentId, { message: 'One', ...session })).status).toBe(502)
  setting.model.reset()
  setting.model.script(call, { text: '' }, 'Yes.')
  expect(await setting.answer(agentId, 'Two', session)).toMatchObject({ content: '', success: true })
  expect(await setting.answer(agentId, 'Did you?', session)).toMatchObject({ content: 'Yes.' })
  const messages = setting.model.requests.at(-1)?.body.messages?.slice(-9) ?? []
  expect(messages.map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'tool', 'assistant'],
    ...['user', 'assistant', 'tool', 'assistant'],
    'user',
  ])
  expect(messages[3]?.content).toBe(
    '(this run failed. Tools that had been called before: calculate. What they did is done.)',
  )
})

test('blank instructions are not sent as a message', async () => {
  const { agentId } = await setting.agent({ instructions: ' \n' })
  setting.model.reset()
  setting.model.script('One.')
  await setting.answer(agentId, 'Hello')
  expect(setting.model.requests.at(-1)?.body.messages).toEqual([{ role: 'user', content: 'Hello' }])
})
