import type { ModelTarget } from '@troupe/agents/ports'
import { TestClock } from '@troupe/agents/testing/test-clock'
import {
  type BodyServer,
  framed,
  PROVIDER_WIRES,
  type ProviderWire,
  startBodyServer,
} from '@troupe/test-kit/provider-streams'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

let server: BodyServer
beforeAll(async () => {
  server = await startBodyServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const wire = (name: string) => PROVIDER_WIRES.find((one) => one.name === name) as ProviderWire
const targetAt = ({ providerId }: ProviderWire, settings: Record<string, unknown>): ModelTarget => {
  const target = targetOf(server.url, 'm')
  return { ...target, connection: { ...target.connection, providerId, settings } }
}
const answer = (of: ProviderWire) => ({ body: framed(of.framing, of.text, of.done) })
const refusal = (status: number, message: string) => ({
  status,
  contentType: 'application/json',
  body: [JSON.stringify({ error: { message, type: 'invalid_request_error' } })],
})
const schemaOf = (required: string[]) => ({
  type: 'object' as const,
  properties: { id: { type: 'string' as const }, note: { type: 'string' as const } },
  required,
  additionalProperties: false,
})
const asJson = (required = ['id', 'note']) =>
  userSays('x', { responseFormat: { type: 'json', name: 'answer', schema: schemaOf(required) } })
const bodies = () => server.requests.map(({ body }) => body)

// Servers with strict validation, such as vLLM and earlier versions of Mistral's API: 422 `extra_forbidden`.
const STREAM_OPTIONS = 'Extra inputs are not permitted: body.stream_options'
// https://console.groq.com/docs/structured-outputs#supported-models
const JSON_SCHEMA = 'This model does not support response format `json_schema`.'

it('a refused field is omitted from one repeated request, and from later ones', async () => {
  const of = wire('openai-compatible')
  const open = modelsForTest()
  const ask = () => open({ targets: [targetAt(of, {})], retry: { attemptsPerModel: 1 } })
  server.play(refusal(422, STREAM_OPTIONS), answer(of))
  const { model, attempts } = ask()
  expect((await streamText(model)).text).toBe('Hello there')
  expect(attempts).toMatchObject([{ ok: true, note: expect.stringContaining('`stream_options`') }])
  await streamText(ask().model)
  expect(bodies().map((body) => 'stream_options' in body)).toEqual([true, false, false])
})

// Earlier versions of Azure's API, and gateways: "Unrecognized request argument supplied: store". Servers based on
// FastAPI name the path.
it.each([
  'Unrecognized request argument supplied: store',
  '[{"type":"extra_forbidden","loc":["body","store"],"msg":"Extra inputs are not permitted"}]',
])('a server that does not know `store` is called without it: %s', async (message) => {
  const of = wire('openai chat')
  server.play(refusal(400, message), answer(of))
  const { model } = modelsForTest()({ targets: [targetAt(of, of.settings)], retry: { attemptsPerModel: 1 } })
  expect((await streamText(model)).text).toBe('Hello there')
  expect(bodies().map(({ store }) => store)).toEqual([false, undefined])
})

it('a refused field is sent again after an hour', async () => {
  const of = wire('openai-compatible')
  const clock = new TestClock()
  const open = modelsForTest(clock)
  const ask = () => open({ targets: [targetAt(of, {})], retry: { attemptsPerModel: 1 } })
  server.play(refusal(422, STREAM_OPTIONS), answer(of))
  await streamText(ask().model)
  clock.advance(60 * 60 * 1000 + 1)
  await streamText(ask().model)
  expect(bodies().map((body) => 'stream_options' in body)).toEqual([true, false, true])
})

it.each(['openai-compatible', 'groq'])('%s requests JSON in words if a schema is refused', async (name) => {
  const of = wire(name)
  server.play(refusal(400, JSON_SCHEMA), answer(of))
  const { model } = modelsForTest()({ targets: [targetAt(of, {})], retry: { attemptsPerModel: 1 } })
  expect((await streamText(model, asJson())).error).toBeUndefined()
  const [first, second] = bodies()
  expect(first).toMatchObject({ response_format: { type: 'json_schema' } })
  expect(second).toMatchObject({ response_format: { type: 'json_object' } })
  expect(JSON.stringify(second?.messages)).toContain('JSON Schema')
})

it('another error is not repeated, and is unchanged', async () => {
  const of = wire('openai-compatible')
  server.play(refusal(400, 'messages.0 is damaged'))
  const { model, attempts } = modelsForTest()({ targets: [targetAt(of, {})], retry: { attemptsPerModel: 1 } })
  expect((await streamText(model)).error).toMatchObject({ code: 'fatal' })
  expect(attempts).toMatchObject([{ errorCode: 'http_400', note: null }])
  expect(server.requests).toHaveLength(1)
})

it('an error longer than its read part is classified by its start', async () => {
  const of = wire('openai-compatible')
  server.play(refusal(400, `messages.0 is damaged: ${'x'.repeat(100_000)}`))
  const { model, attempts } = modelsForTest()({ targets: [targetAt(of, {})], retry: { attemptsPerModel: 1 } })
  expect((await streamText(model)).error).toMatchObject({ code: 'fatal' })
  expect(attempts).toMatchObject([{ providerMessage: expect.stringContaining('messages.0 is damaged') }])
})

it.each([
  ['openai chat', { api: 'chat' }],
  ['openai', {}],
])('%s is strict only with a schema that requires every property', async (name, settings) => {
  const of = wire(name)
  const { model } = modelsForTest()({ targets: [targetAt(of, settings)] })
  server.play(answer(of))
  await streamText(model, asJson(['id', 'note']))
  await streamText(model, asJson(['id']))
  const strict = bodies().map((body) => JSON.stringify(body).includes('"strict":true'))
  expect(strict).toEqual([true, false])
})

it.each([
  ['openai-compatible', {}],
  ['openai chat', { api: 'chat' }],
  ['groq', {}],
  ['mistral', {}],
  ['azure-openai chat', { api: 'chat' }],
])('settings of %s leave fields out from the start', async (name, more) => {
  const of = wire(name)
  const settings = { ...of.settings, ...more, streamUsage: false, structuredOutputs: false }
  const { model } = modelsForTest()({ targets: [targetAt(of, settings)] })
  server.play(answer(of))
  expect((await streamText(model, asJson())).text).toBe('Hello there')
  expect(bodies()[0]).not.toHaveProperty('stream_options')
  expect(bodies()[0]).toMatchObject({ response_format: { type: 'json_object' } })
})
