import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelTarget } from '@troupe/agents/ports'
import type { ProviderId } from '@troupe/contract'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf } from '../testing/open-chain.ts'
import { promptFor } from './prompt-for-target.ts'
import { originOf } from './state-origin.ts'

const NINE = /^[A-Za-z0-9]{9}$/

type Assistant = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>

/** A request of any of the protocols. */
interface Sent {
  messages: {
    role: string
    tool_calls?: { id: string }[]
    tool_call_id?: string
    reasoning_content?: string
  }[]
  contents: unknown[]
  input: unknown[]
  thinking?: unknown
}

const ASKED: LanguageModelV4Prompt[number] = { role: 'user', content: [{ type: 'text', text: 'Add.' }] }
const RESULT: LanguageModelV4Prompt[number] = {
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: 'call_0_0', toolName: 'add', output: { type: 'text', value: '2' } },
  ],
  providerOptions: { troupe: { acted: true } },
}

function called(metadata: Record<string, never> | object = {}): Assistant['content'][number] {
  return {
    type: 'tool-call',
    toolCallId: 'call_0_0',
    toolName: 'add',
    input: { a: 1 },
    providerOptions: { ...metadata, troupe: { id: 'own_id-1' } },
  }
}

const step = (origin: string, content: Assistant['content']): Assistant => ({
  role: 'assistant',
  content,
  providerOptions: { troupe: { origin } },
})

function targetFor(url: string, providerId: ProviderId, parameters: object = {}, modelId = 'some-model') {
  const target = targetOf(url, modelId, { parameters })
  const settings = providerId === 'amazon-bedrock' ? { region: 'eu-west-1' } : {}
  target.connection = { ...target.connection, providerId, settings, credentials: { apiKey: 'the-key' } }
  return target
}

describe('a prompt on the wire', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  async function bodyOf(target: ModelTarget, prompt: LanguageModelV4Prompt) {
    const { model } = modelsForTest()({ targets: [target], retry: { attemptsPerModel: 1 } })
    const tools = [{ type: 'function' as const, name: 'add', inputSchema: { type: 'object' as const } }]
    await streamText(model, { prompt, tools })
    const body = server.requests.at(-1)?.body
    expect(JSON.stringify(body)).not.toContain('troupe')
    return body as unknown as Sent
  }
  const own = (target: ModelTarget, parts: Assistant['content']) =>
    bodyOf(target, [ASKED, step(originOf(target), parts), RESULT])
  const foreign = (target: ModelTarget, parts: Assistant['content']) =>
    bodyOf(target, [ASKED, step('another provider', parts), RESULT])

  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking, section Extended thinking with tool use: the
  // thinking block goes before the call, unmodified, with its signature.
  const SIGNED = {
    type: 'reasoning' as const,
    text: 'Hm.',
    providerOptions: { anthropic: { signature: 'S' } },
  }

  it('has the thoughts of Claude with their signature before the call, and no blank text beside it', async () => {
    const body = await own(targetFor(server.url, 'anthropic'), [
      SIGNED,
      { type: 'text', text: '\n\n' },
      called(),
    ])
    expect(body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Add.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'S' },
          { type: 'tool_use', id: 'own_id-1', name: 'add', input: { a: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'own_id-1', content: '2' }] },
    ])
  })

  it('of Claude keeps redacted thoughts', async () => {
    const redacted = {
      type: 'reasoning' as const,
      text: '',
      providerOptions: { anthropic: { redactedData: 'R' } },
    }
    const body = await own(targetFor(server.url, 'anthropic'), [redacted, called()])
    expect(body.messages[1]).toMatchObject({ content: [{ type: 'redacted_thinking', data: 'R' }, {}] })
  })

  it.each([
    [{ reasoningEffort: 'high' as const }],
    [{ providerOptions: { thinking: { type: 'enabled', budgetTokens: 1024 } } }],
  ])('for Claude with %o disables thinking if another provider has called a tool in this turn', async (set) => {
    const target = targetFor(server.url, 'anthropic', set, 'claude-sonnet-4-5')
    const body = await foreign(target, [SIGNED, called()])
    expect(body.messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: expect.stringMatching(NINE), name: 'add', input: { a: 1 } }],
    })
    expect(body.thinking).toEqual({ type: 'disabled' })
    const before = await bodyOf(target, [ASKED, step('another provider', [called()]), RESULT, ASKED])
    expect(before.thinking).toMatchObject({ type: 'enabled' })
  })

  // https://platform.openai.com/docs/guides/reasoning, section Encrypted reasoning items; phases: API reference, message.
  it('has encrypted reasoning and phases for OpenAI, without ids of calls that it would look up', async () => {
    const body = await own(targetFor(server.url, 'openai', {}, 'gpt-5.1'), [
      {
        type: 'reasoning',
        text: '',
        providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'ENC' } },
      },
      {
        type: 'text',
        text: 'I will add.',
        providerOptions: { openai: { itemId: 'msg_1', phase: 'commentary' }, troupe: { hidden: true } },
      },
      called({ openai: { itemId: 'fc_1' } }),
    ])
    expect(body.input).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'Add.' }] },
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'ENC', summary: [] },
      { role: 'assistant', content: 'I will add.', phase: 'commentary' },
      { type: 'function_call', call_id: 'own_id-1', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'own_id-1', output: '2' },
    ])
  })

  // https://ai.google.dev/gemini-api/docs/thought-signatures: a call without its signature is refused by Gemini 3; a text
  // may be empty and have one.
  it('has the signatures of Gemini, also that of an empty text', async () => {
    const target = targetFor(server.url, 'google', {}, 'gemini-3-pro-preview')
    const signed = { google: { thoughtSignature: 'SIG' } }
    const empty = { type: 'text' as const, text: '', providerOptions: { google: { thoughtSignature: 'T' } } }
    const body = await own(target, [called(signed), empty])
    expect(body.contents[1]).toEqual({
      role: 'model',
      parts: [
        { functionCall: { id: 'own_id-1', name: 'add', args: { a: 1 } }, thoughtSignature: 'SIG' },
        { text: '', thoughtSignature: 'T' },
      ],
    })
    const plain = await foreign(target, [called(signed), empty])
    expect(JSON.stringify(plain.contents)).not.toContain('SIG')
  })

  // https://api-docs.deepseek.com/guides/thinking_mode, section Tool Calls.
  it('has reasoning_content in every message of the assistant once a server gets one back', async () => {
    const target = targetFor(server.url, 'openai-compatible')
    const thought = { type: 'reasoning' as const, text: 'Hm.' }
    const body = await bodyOf(target, [
      ASKED,
      step('another provider', [thought, called()]),
      RESULT,
      { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
      ASKED,
      step(originOf(target), [thought, called()]),
      RESULT,
    ])
    const assistant = body.messages.filter(({ role }) => role === 'assistant')
    expect(assistant).toMatchObject([
      { reasoning_content: '', tool_calls: [{ id: expect.stringMatching(NINE) }] },
      { reasoning_content: '', content: 'Two.' },
      { reasoning_content: 'Hm.', tool_calls: [{ id: 'own_id-1' }] },
    ])
  })

  it.each([
    ['deepseek-v4-flash', ''],
    ['some-model', undefined],
  ])('for %s as a fallback has reasoning_content %j', async (modelId, expected) => {
    const target = targetFor(server.url, 'openai-compatible', {}, modelId)
    const body = await foreign(target, [SIGNED, called()])
    expect(body.messages[1]).toMatchObject({ tool_calls: [{ id: expect.stringMatching(NINE) }] })
    expect(body.messages[1]?.reasoning_content).toBe(expected)
  })

  // https://docs.mistral.ai/api: "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9" (error 3280).
  it('has its own ids for Mistral, and nine letters and digits for calls of other providers', async () => {
    const target = targetFor(server.url, 'mistral')
    const mine = { ...called(), providerOptions: { troupe: { id: 'D681PevKs' } } }
    const body = await bodyOf(target, [
      ASKED,
      step('another provider', [called()]),
      RESULT,
      ASKED,
      step(originOf(target), [mine]),
      RESULT,
    ])
    const ids = body.messages.flatMap(({ tool_calls: calls, tool_call_id: id }) => [
      ...(calls ?? []).map((call) => call.id),
      ...(id ? [id] : []),
    ])
    expect(ids).toEqual([expect.stringMatching(NINE), ids[0], 'D681PevKs', 'D681PevKs'])
    expect(ids[0]).not.toBe('D681PevKs')
  })

  it('has the thoughts of Bedrock with their signature', async () => {
    const target = targetFor(server.url, 'amazon-bedrock', {}, 'anthropic.claude-sonnet-4-5')
    const thought = {
      type: 'reasoning' as const,
      text: 'Hm.',
      providerOptions: { amazonBedrock: { signature: 'S' } },
    }
    const body = await own(target, [thought, called()])
    expect(body.messages[1]).toMatchObject({
      role: 'assistant',
      content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 'S' } } }, { toolUse: {} }],
    })
  })

  it.each([
    'anthropic',
    'amazon-bedrock',
    'google',
    'mistral',
    'groq',
    'openai',
    'azure-openai',
    'xai',
    'openai-compatible',
  ] as ProviderId[])('for %s has no blank text anywhere', async (providerId) => {
    const blank = { type: 'text' as const, text: ' \n' }
    const target = targetFor(server.url, providerId)
    const body = await bodyOf(target, [
      { role: 'system', content: '  ' },
      { role: 'user', content: [blank] },
      { role: 'assistant', content: [blank] },
      ASKED,
      step(originOf(target), [blank, called()]),
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'call_0_0',
            toolName: 'add',
            output: { type: 'text', value: '' },
          },
        ],
      },
    ])
    const texts: string[] = []
    JSON.stringify(body, (name, value) => {
      if ((name === 'text' || name === 'content') && typeof value === 'string') texts.push(value)
      return value
    })
    expect(texts.length).toBeGreaterThan(2)
    // Beside a call, OpenAI's protocol has an empty content, which Groq's and Mistral's packages write as "".
    expect(texts.filter((text) => text !== '' && text.trim() === '')).toEqual([])
    if (providerId === 'anthropic' || providerId === 'amazon-bedrock') expect(texts).not.toContain('')
  })
})

describe('the prompt of a target', () => {
  const target = targetOf('http://localhost:1', 'm')

  it('keeps repeated ids of a provider distinct, and pairs each result with its call', () => {
    const calls = ['call_0_0', 'call_1_0'].flatMap(
      (toolCallId): LanguageModelV4Prompt => [
        step(originOf(target), [
          {
            ...called(),
            type: 'tool-call',
            toolCallId,
            toolName: 'add',
            input: {},
            providerOptions: { troupe: { id: 'x1' } },
          },
        ]),
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId, toolName: 'add', output: { type: 'text', value: '1' } },
          ],
        },
      ],
    )
    const ids = promptFor(target, [ASKED, ...calls]).prompt.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
    )
    expect(ids).toEqual(['x1', 'x1', expect.stringMatching(NINE), ids[2]])
  })

  it('sends other providers neither thoughts nor hidden texts, and never an empty message', () => {
    const { prompt } = promptFor(target, [
      ASKED,
      step('another provider', [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'SUMMARY', providerOptions: { anthropic: {}, troupe: { hidden: true } } },
      ]),
      ASKED,
    ])
    expect(prompt[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: '(no text)' }] })
  })

  it('leaves out trailing thoughts', () => {
    const { prompt } = promptFor(target, [
      ASKED,
      step(originOf(target), [
        { type: 'text', text: 'Two.' },
        { type: 'reasoning', text: 'Hm.' },
      ]),
      ASKED,
    ])
    expect(prompt[1]?.content).toEqual([{ type: 'text', text: 'Two.' }])
  })

  it('is the state of a configuration with its destination, and of the model if it serves several vendors', () => {
    const change = (connection: object, modelId = 'm') =>
      originOf({ ...target, modelId, connection: { ...target.connection, ...connection } })
    expect(change({ version: 2, credentials: { apiKey: 'other' } })).toBe(originOf(target))
    const others = [
      change({ llmConfigId: 'other' }),
      change({ baseUrl: 'https://other.test/v1' }),
      change({ providerId: 'anthropic' }),
      change({}, 'other'),
    ]
    expect(new Set([...others, originOf(target)]).size).toBe(5)
    expect(change({ providerId: 'anthropic' }, 'other')).toBe(change({ providerId: 'anthropic' }))
  })
})

describe('state refused by its own provider', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const thought = { type: 'reasoning' as const, text: 'Hm.' }
  const promptOf = (target: ModelTarget) => [ASKED, step(originOf(target), [thought, called()]), RESULT]
  const refused = (message: string) => ({
    status: 400,
    body: { error: { message, type: 'invalid_request_error' } },
  })
  const sent = () => server.requests.map(({ body }) => JSON.stringify(body).includes('Hm.'))

  it('is omitted from a second request', async () => {
    const target = targetOf(server.url, 'm')
    server.script(refused('Invalid `signature` in `thinking` block'), 'Two.')
    const open = modelsForTest()
    const once = () => streamText(open({ targets: [target] }).model, { prompt: promptOf(target) })
    expect((await once()).text).toBe('Two.')
    expect(sent()).toEqual([true, false])
    server.script('Three.')
    await once()
    expect(sent()).toEqual([true, false, true])
  })

  it('is not sent again to a server that never reads it', async () => {
    const target = targetOf(server.url, 'm')
    server.script(refused("'messages.1' : property 'reasoning_content' is unsupported"), 'Two.', 'Three.')
    const open = modelsForTest()
    const once = () => streamText(open({ targets: [target] }).model, { prompt: promptOf(target) })
    await once()
    expect((await once()).text).toBe('Three.')
    expect(sent()).toEqual([true, false, false])
  })

  it('is not blamed for a refusal of something else', async () => {
    const target = targetOf(server.url, 'm')
    server.script(refused('This model does not exist here'))
    const { model } = modelsForTest()({ targets: [target] })
    expect((await streamText(model, { prompt: promptOf(target) })).error).toBeDefined()
    expect(server.requests).toHaveLength(1)
  })
})

describe('an empty answer', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())

  it('is a whole one after tools have acted, and a failure otherwise', async () => {
    const target = targetOf(server.url, 'm')
    const open = () => modelsForTest()({ targets: [target], retry: { attemptsPerModel: 1 } })
    const acted = [ASKED, step('other', [called()]), RESULT]
    server.script({ text: '' }, { text: '' })
    const whole = open()
    const { error, parts } = await streamText(whole.model, { prompt: acted })
    expect(error).toBeUndefined()
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
    expect(whole.attempts).toMatchObject([{ ok: true }])
    const failed = await streamText(open().model, { prompt: [ASKED] })
    expect(failed.error).toMatchObject({ code: 'empty_response' })
  })
})
