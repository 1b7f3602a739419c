import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

// As servers without a reasoning parser send them: https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
const MARKED = '<think>\nOne or two?\n</think>\n\nTwo.'
const UNOPENED = 'One or two?\n</think>\n\nTwo.'

describe('an answer with reasoning in the text', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const target = (settings = {}) => {
    const one = targetOf(server.url, 'a')
    one.connection = { ...one.connection, settings }
    return one
  }
  /** The rest of an answer after a reset. */
  const lastText = (parts: Awaited<ReturnType<typeof streamText>>['parts']) => {
    const start = parts.findLastIndex(({ type }) => type === 'stream-start')
    return parts
      .slice(start)
      .map((part) => (part.type === 'text-delta' ? part.delta : ''))
      .join('')
  }

  it.each([
    ['a plain answer', { isPlainAnswer: true }, {}],
    ['an answer that is parsed, spoken or summarised', { isPlainAnswer: false }, {}],
    ['such an answer where thoughts are kept', { isPlainAnswer: false }, { thoughts: 'keep' }],
  ])('has none in %s', async (_name, chain, settings) => {
    for (const chunks of [1, 9, MARKED.length]) {
      server.script({ text: MARKED, chunks })
      const { model, events } = modelsForTest()({ targets: [target(settings)], ...chain })
      const { text, parts, error } = await streamText(model)
      expect([text, error, events]).toEqual(['Two.', undefined, []])
      const thoughts = parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join('')
      expect(thoughts.trim()).toBe('One or two?')
    }
  })

  it('keeps it in a plain answer if the configuration says so', async () => {
    server.script({ text: MARKED, chunks: 5 })
    const { model } = modelsForTest()({ targets: [target({ thoughts: 'keep' })], isPlainAnswer: true })
    expect((await streamText(model)).text).toBe(MARKED)
  })

  it('has none in JSON and in forced calls, with any configuration', async () => {
    const open = () => modelsForTest()({ targets: [target({ thoughts: 'keep' })], isPlainAnswer: true }).model
    server.script({ text: '<think>x</think>{"id":1}' }, { text: '<think>x</think>{"id":2}' })
    const json = userSays('x', { responseFormat: { type: 'json', schema: { type: 'object' } } })
    expect((await streamText(open(), json)).text).toBe('{"id":1}')
    const tools = [{ type: 'function' as const, name: 'decide', inputSchema: { type: 'object' as const } }]
    const forced = userSays('x', { tools, toolChoice: { type: 'tool', toolName: 'decide' } })
    expect((await streamText(open(), forced)).text).toBe('{"id":2}')
  })

  it('voids the text before an unmatched closing mark, once for each model', async () => {
    const open = modelsForTest()
    for (const chunks of [1, 7]) {
      server.script({ text: UNOPENED, chunks })
      const opened = open({ targets: [target()], isPlainAnswer: true })
      expect(lastText((await streamText(opened.model)).parts)).toBe('Two.')
      expect(opened.events).toEqual(chunks === 1 ? ['reset'] : [])
    }
    // The model answers without reasoning: nothing is lost.
    server.script({ text: 'No thoughts.', chunks: 3 })
    expect((await streamText(open({ targets: [target()] }).model)).text).toBe('No thoughts.')
  })

  const named =
    (modelId: string, settings = {}) =>
    () => ({ ...target(settings), modelId })
  it.each([
    ['is switched off', named('a', { thoughts: 'remove' }), true],
    ['cannot be taken back', named('a'), false],
    ['is to be expected', named('deepseek-ai/DeepSeek-R1-0528'), true],
    ['is to be expected, too', named('Qwen/Qwen3-4B-Thinking-2507'), true],
  ])('holds an answer back where seeing its reasoning %s', async (_, model, isPlainAnswer) => {
    const open = modelsForTest()
    const ask = async (text: string) => {
      server.script({ text, chunks: 5 })
      const opened = open({ targets: [model()], isPlainAnswer })
      const { parts } = await streamText(opened.model)
      const texts = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
      return { texts, events: opened.events }
    }
    const first = await ask(UNOPENED)
    expect([first.texts.join(''), first.events]).toEqual(['Two.', []])
    const second = await ask(UNOPENED)
    expect([second.texts.join(''), second.events]).toEqual(['Two.', []])
  })

  it('streams again once a model has answered without reasoning', async () => {
    const open = modelsForTest()
    const model = named('a', { thoughts: 'remove' })
    const ask = async () => {
      server.script({ text: 'One two three four', chunks: 4 })
      const { parts } = await streamText(open({ targets: [model()], isPlainAnswer: true }).model)
      return parts.filter((part) => part.type === 'text-delta').length
    }
    expect(await ask()).toBe(1)
    expect(await ask()).toBe(4)
  })

  it('that is only reasoning is an empty answer', async () => {
    server.script({ text: '<think>One or', finishReason: 'length' })
    const { text, parts } = await streamText(modelsForTest()({ targets: [target()] }).model)
    expect(text).toBe('')
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'length' } })
  })
})
