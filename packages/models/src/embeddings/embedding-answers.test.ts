import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelAttempt, ProviderConnection } from '@troupe/agents/ports'
import { LlmConfigId, newId, type ProviderId } from '@troupe/contract'
import { afterEach, expect, test } from 'vitest'
import { createEmbeddingModels } from './create-embedding-models.ts'

interface Asked {
  input: string[]
  encoding_format?: string
}
type Answer = [status: number, body: unknown]

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server of OpenAI's `/embeddings` (https://platform.openai.com/docs/api-reference/embeddings). */
async function serve(answer: (asked: Asked) => Answer) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as Asked
    asked.push(body)
    const [status, answered] = answer(body)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof answered === 'string' ? answered : JSON.stringify(answered))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { asked, sizes: () => asked.map(({ input }) => input.length), baseUrl }
}

const textsOf = (count: number) => Array.from({ length: count }, (_, n) => `text ${n}`)
/** The vector of a text, unlike all others. */
const vectorOf = (text: string) => [Number(text.split(' ')[1]) + 0.5, 1]
const item = (text: string, index: number) => ({ object: 'embedding', index, embedding: vectorOf(text) })
const answerOf = (data: unknown): Answer => [200, { object: 'list', data, usage: { prompt_tokens: 3 } }]
const whole = ({ input }: Asked) => answerOf(input.map(item))

function opened(
  baseUrl: string,
  { providerId = 'openai-compatible' as ProviderId, settings = {}, version = 1 } = {},
) {
  const models = createEmbeddingModels({ fetch })
  const llmConfigId = newId(LlmConfigId)
  return (texts: readonly string[]) => {
    const attempts: ModelAttempt[] = []
    const connection: ProviderConnection = {
      ...{ llmConfigId, version, providerId, baseUrl, settings },
      credentials: { apiKey: 'the-key-of-the-tenant' },
    }
    const vectors = models.embed({
      ...{ connection, modelId: 'emb-1', texts, signal: new AbortController().signal },
      onAttempt: (attempt) => attempts.push(attempt),
    })
    return { vectors, attempts }
  }
}

test.each([
  'openai',
  'azure-openai',
  'openai-compatible',
  'mistral',
] as const)('%s: vectors are sorted by their index', async (providerId) => {
  const { baseUrl } = await serve(({ input }) => answerOf(input.map(item).toReversed()))
  const { vectors, attempts } = opened(baseUrl, { providerId })(textsOf(5))
  expect(await vectors).toEqual(textsOf(5).map(vectorOf))
  expect(attempts).toMatchObject([{ ok: true, inputTokens: 3, usageIncomplete: false }])
})

test.each([
  // https://github.com/samfoy/pi-session-search/issues/13: protocol buffers leave out zeros.
  [
    'the index 0',
    (data: object[]) => data.map((one, at) => (at === 0 ? { ...one, index: undefined } : one)).toReversed(),
  ],
  // https://github.com/doobidoo/mcp-memory-service/pull/612
  ['every index', (data: object[]) => data.map((one) => ({ ...one, index: undefined }))],
])('a server that leaves out %s keeps each vector with its text', async (_name, change) => {
  const { baseUrl } = await serve(({ input }) => answerOf(change(input.map(item))))
  expect(await opened(baseUrl)(textsOf(4)).vectors).toEqual(textsOf(4).map(vectorOf))
})

test.each<[string, (data: Record<string, unknown>[]) => unknown]>([
  ['two vectors with the index 1', ([a, b, c]) => [a, { ...b }, { ...c, index: 1 }]],
  ['a vector with the index 7', ([a, b, c]) => [a, b, { ...c, index: 7 }]],
  ['an index that is not a whole number', ([a, b, c]) => [a, b, { ...c, index: '2' }]],
  ['2 vectors for 3 texts', ([a, b]) => [a, b]],
  ['4 vectors for 3 texts', ([a, b, c]) => [a, b, c, { ...c, index: 3 }]],
  ['vectors of 2 and of 1 values', ([a, b, c]) => [a, b, { ...c, embedding: [1] }]],
  ['an item that is not a vector', ([a, b, c]) => [a, b, { ...c, embedding: [1, null] }]],
  ['an item that is not a vector', ([a, b, c]) => [a, b, { ...c, embedding: [] }]],
  ['base64 that is not a list of numbers', ([a, b, c]) => [a, b, { ...c, embedding: 'AAA=' }]],
  ['no list of vectors', () => ({})],
])('%s is an error that names the cause, after one request', async (words, change) => {
  const { baseUrl, asked } = await serve(({ input }) => answerOf(change(input.map(item))))
  const { vectors } = opened(baseUrl)(textsOf(3))
  await expect(vectors).rejects.toMatchObject({ code: 'exhausted', message: expect.stringContaining(words) })
  expect(asked).toHaveLength(1)
})

test('vectors in base64 are read as little-endian numbers of four bytes', async () => {
  // The layout of https://github.com/sgl-project/sglang/pull/28803
  const base64 = (text: string) => Buffer.from(Float32Array.from(vectorOf(text)).buffer).toString('base64')
  const { baseUrl } = await serve(({ input }) =>
    answerOf(input.map((text, index) => ({ index, embedding: base64(text) }))),
  )
  expect(await opened(baseUrl)(textsOf(3)).vectors).toEqual(textsOf(3).map(vectorOf))
})

test('a server that refuses encoding_format is called without it, and that is remembered', async () => {
  const { baseUrl, asked } = await serve((body) =>
    body.encoding_format === undefined
      ? whole(body)
      : [400, { error: { message: "Unrecognized request argument supplied: 'encoding_format'" } }],
  )
  const embed = opened(baseUrl)
  expect(await embed(textsOf(2)).vectors).toHaveLength(2)
  expect(await embed(textsOf(2)).vectors).toHaveLength(2)
  expect(asked.map(({ encoding_format }) => encoding_format)).toEqual(['float', undefined, undefined])
})

/** Refusals of too many texts, in the wording of their services. */
const REFUSALS: [string, Answer][] = [
  // https://github.com/memodb-io/memobase/issues/142
  [
    'DashScope',
    [
      400,
      {
        error: {
          message:
            '<400> InternalError.Algo.InvalidParameter: Value error, batch size is invalid, it should not be larger than 10.: input.contents',
          type: 'InvalidParameter',
          param: null,
          code: 'InvalidParameter',
        },
      },
    ],
  ],
  // https://github.com/apecloud/ApeRAG/issues/716
  [
    'SiliconFlow',
    [413, { code: 20042, message: 'input batch size 64 > maximum allowed batch size 10', data: null }],
  ],
  // https://github.com/langchain-ai/langchain/issues/9112
  [
    'Azure',
    [
      400,
      {
        error: { message: 'Too many inputs. The max number of inputs is 1.', type: 'invalid_request_error' },
      },
    ],
  ],
  [
    'a limit of tokens',
    [
      400,
      {
        error: {
          message: 'Requested 400000 tokens, max 300000 tokens per request',
          code: 'max_tokens_per_request',
        },
      },
    ],
  ],
  ['a validator', [422, { detail: [{ loc: ['body', 'input'], msg: 'List should have at most 10 items' }] }]],
  ['nothing known', [400, { error: 'no' }]],
]
test.each(
  REFUSALS,
)('too many texts for %s are halved until they fit, and that is remembered', async (_name, refusal) => {
  const { baseUrl, sizes } = await serve((body) => (body.input.length > 10 ? refusal : whole(body)))
  const embed = opened(baseUrl)
  expect(await embed(textsOf(60)).vectors).toEqual(textsOf(60).map(vectorOf))
  expect(sizes()).toEqual([60, 30, 15, 8, 8, 8, 8, 8, 8, 8, 4])
  expect(await embed(textsOf(16)).vectors).toHaveLength(16)
  expect(sizes().slice(11)).toEqual([8, 8])
})

test('the setting of the configuration limits the texts of a request', async () => {
  const { baseUrl, sizes } = await serve(whole)
  expect(await opened(baseUrl, { settings: { embeddingBatch: 10 } })(textsOf(25)).vectors).toHaveLength(25)
  expect(sizes()).toEqual([10, 10, 5])
})

test("one text that is too long ends with the provider's message, after few requests", async () => {
  const message = 'This model has a maximum context length of 512 tokens: the-key-of-the-tenant'
  const { baseUrl, asked } = await serve(({ input }) =>
    input.includes('text 0') ? [400, { error: { message } }] : whole({ input }),
  )
  const { vectors } = opened(baseUrl)(textsOf(64))
  await expect(vectors).rejects.toMatchObject({
    providerMessage: 'This model has a maximum context length of 512 tokens: [secret]',
  })
  expect(asked).toHaveLength(7)
})

test.each([
  [401, { error: { message: 'no' } }, 'The key of the LLM configuration was refused by the model provider.'],
  [404, { error: { message: 'no such model' } }, 'The model provider does not know the model emb-1.'],
  [
    429,
    { error: { message: 'x', code: 'insufficient_quota' } },
    'The account at the model provider has no credit or quota left.',
  ],
])('a status %i is not mistaken for too many texts', async (status, body, message) => {
  const { baseUrl, asked } = await serve(() => [status, body])
  await expect(opened(baseUrl)(textsOf(8)).vectors).rejects.toMatchObject({ message })
  expect(asked).toHaveLength(1)
})
