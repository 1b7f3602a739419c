import { type BodyServer, framed, PROVIDER_WIRES, startBodyServer } from '@troupe/test-kit/provider-streams'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf } from '../testing/open-chain.ts'

let server: BodyServer
beforeAll(async () => {
  server = await startBodyServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

type Event = { type: string } & Record<string, unknown>

/** The result of reading a complete body, or the events of a stream. */
async function read(name: string, events: readonly object[] | string) {
  const wire = PROVIDER_WIRES.find((one) => one.name === name)
  if (!wire) throw new Error(`no wire ${name}`)
  server.play(
    typeof events === 'string'
      ? { contentType: 'application/json', body: [events] }
      : { body: framed('named', events, false) },
  )
  const target = targetOf(server.url, 'm')
  const connection = { ...target.connection, providerId: wire.providerId, settings: wire.settings }
  const { model, attempts } = modelsForTest()({
    targets: [{ ...target, connection }],
    retry: { attemptsPerModel: 1 },
  })
  const { text, parts, error } = await streamText(model)
  const finish = parts.find((part) => part.type === 'finish')
  return { text, end: finish?.finishReason.unified, error, attempt: attempts[0] }
}

// https://platform.claude.com/docs/en/build-with-claude/streaming, section Event types: new ones may be added.
describe('a stream of Anthropic', () => {
  const start = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [] }
  const block = (index: number, text: string, first: unknown = '') => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: first } },
    ...(text === '' ? [] : [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }]),
    { type: 'content_block_stop', index },
  ]
  const answer = (...inner: object[]) => [
    { type: 'message_start', message: { ...start, usage: { input_tokens: 7, output_tokens: 1 } } },
    ...inner,
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]
  const [opened = {}, said = {}, closed = {}] = block(0, 'Hi')

  it.each([
    ['an event', answer({ type: 'new_event', text: 'no' }, ...block(0, 'Hi'))],
    [
      'a delta',
      answer(
        opened,
        { type: 'content_block_delta', index: 0, delta: { type: 'new_delta', text: 'no' } },
        said,
        closed,
      ),
    ],
    [
      'a block',
      answer(
        { type: 'content_block_start', index: 0, content_block: { type: 'new_block', text: 'no' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'no' } },
        { type: 'content_block_stop', index: 0 },
        ...block(1, 'Hi'),
      ),
    ],
  ])('may have %s of an unknown type, which is not content', async (_, events) => {
    expect(await read('anthropic', events)).toMatchObject({ text: 'Hi', end: 'stop', error: undefined })
  })

  it.each([
    ['a text in the start of its block', answer(...block(0, '', 'Hi'))],
    ['a start without a text', answer(...block(0, 'Hi', null))],
  ])('of a gateway may have %s', async (_, events) => {
    expect(await read('anthropic', events)).toMatchObject({ text: 'Hi', end: 'stop', error: undefined })
  })

  it('that ends with an error fails, regardless of earlier events', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const events = [...answer(...block(0, 'Hi')).slice(0, 4), error]
    expect(await read('anthropic', events)).toMatchObject({ attempt: { ok: false, errorCode: 'http_529' } })
  })
})

// https://platform.openai.com/docs/api-reference/responses-streaming
describe.each(['openai', 'azure-openai', 'xai'])('a response of %s', (name) => {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const done = {
    ...{ ...item, status: 'completed' },
    content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
  }
  const response = (status: string, more: object = {}) => ({
    ...{ id: 'r', object: 'response', created_at: 1, model: 'm', status, output: [done] },
    ...{ usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 }, ...more },
  })
  const answer = (end: Event, middle: Event[] = []): Event[] => [
    ...[{ type: 'response.created', response: response('in_progress', { output: [], usage: null }) }],
    ...[{ type: 'response.output_item.added', output_index: 0, item }, ...middle],
    ...[{ type: 'response.output_text.delta', ...at, delta: 'Hi' }],
    ...[{ type: 'response.output_item.done', output_index: 0, item: done }, end],
  ]
  const completed = { type: 'response.completed', response: response('completed') }

  it.each([null, {}, { reason: null }])('that is incomplete for %j is a failed attempt', async (details) => {
    const cut = response('incomplete', { incomplete_details: details })
    const streamed = await read(name, answer({ type: 'response.incomplete', response: cut }))
    expect(streamed).toMatchObject({ attempt: { ok: false, errorCode: 'answer_cut' } })
    expect(streamed.error).toBeDefined()
    server.reset()
    expect(await read(name, JSON.stringify(cut))).toMatchObject({ attempt: { ok: false } })
  })

  it('that is incomplete at its limit is valid up to there', async () => {
    const cut = response('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })
    expect(await read(name, answer({ type: 'response.incomplete', response: cut }))).toMatchObject({
      text: 'Hi',
      end: 'length',
    })
  })

  it('may have unknown events', async () => {
    const unknown = [{ type: 'response.keepalive' }, { type: 'keepalive', sequence_number: 1 }]
    expect(await read(name, answer(completed, unknown))).toMatchObject({ text: 'Hi', error: undefined })
  })

  it('that refuses is reported as a refusal', async () => {
    const events = answer(completed).filter(({ type }) => !/output_text|item\.done/.test(type))
    const refused = [
      ...events.slice(0, -1),
      { type: 'response.refusal.delta', ...at, delta: 'I cannot help.' },
      { type: 'response.refusal.done', ...at, refusal: 'I cannot help.' },
      ...events.slice(-1),
    ]
    expect(await read(name, refused)).toMatchObject({ text: 'I cannot help.', end: 'content-filter' })
  })
})
