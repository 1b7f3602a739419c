import { framed, PROVIDER_WIRES, type ProviderWire, startBodyServer } from '@troupe/test-kit/provider-streams'
import { expect, test } from 'vitest'
import { modelsForTest, streamText, targetOf } from '../testing/open-chain.ts'

/** The attempt of an answer whose last usage is replaced by `usage`, in the provider's format. */
async function attemptWith(name: string, usage: unknown) {
  await using server = await startBodyServer()
  const wire = PROVIDER_WIRES.find((one) => one.name === name) as ProviderWire
  const replaced = JSON.parse(JSON.stringify(wire.text), (key, value) =>
    (key === 'usage' || key === 'usageMetadata') && JSON.stringify(value).includes('7') ? usage : value,
  )
  server.play({ body: framed(wire.framing, replaced, wire.done) })
  const target = targetOf(server.url, 'm')
  const connection = { ...target.connection, providerId: wire.providerId, settings: wire.settings }
  const { model, attempts } = modelsForTest()({ targets: [{ ...target, connection }] })
  expect((await streamText(model)).error).toBeUndefined()
  return attempts[0]
}

const ROWS: [string, string, object, object][] = [
  // https://docs.x.ai/docs/guides/reasoning: `completion_tokens` excludes the reasoning, `total_tokens` includes it.
  [
    'xAI counts reasoning beside the completion',
    'openai-compatible',
    {
      prompt_tokens: 12,
      completion_tokens: 2,
      total_tokens: 354,
      completion_tokens_details: { reasoning_tokens: 340 },
    },
    { inputTokens: 12, outputTokens: 342, reasoningTokens: 340 },
  ],
  [
    'OpenAI counts reasoning within the completion',
    'openai-compatible',
    {
      prompt_tokens: 12,
      completion_tokens: 342,
      total_tokens: 354,
      completion_tokens_details: { reasoning_tokens: 340 },
    },
    { inputTokens: 12, outputTokens: 342, reasoningTokens: 340 },
  ],
  // https://platform.moonshot.ai/docs/api/chat: `cached_tokens` is beside the other counts.
  [
    'Moonshot says cached tokens at the top',
    'openai-compatible',
    { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50, cached_tokens: 10 },
    { inputTokens: 20, cachedTokens: 10, outputTokens: 30 },
  ],
  // https://docs.claude.com/en/docs/build-with-claude/prompt-caching#tracking-cache-performance
  [
    'Anthropic says reads and writes of its cache beside the input',
    'anthropic',
    { input_tokens: 12, output_tokens: 7, cache_creation_input_tokens: 100, cache_read_input_tokens: 50 },
    { inputTokens: 162, cachedTokens: 50, cacheWriteTokens: 100, outputTokens: 7 },
  ],
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
  [
    'Bedrock says reads and writes of its cache beside the input',
    'amazon-bedrock',
    {
      inputTokens: 12,
      outputTokens: 7,
      totalTokens: 169,
      cacheReadInputTokens: 50,
      cacheWriteInputTokens: 100,
    },
    { inputTokens: 162, cachedTokens: 50, cacheWriteTokens: 100, outputTokens: 7 },
  ],
  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching: cache writes by lifetime.
  [
    'Anthropic says which writes are kept for an hour',
    'anthropic',
    {
      ...{ input_tokens: 12, output_tokens: 7, cache_creation_input_tokens: 100 },
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 70 },
    },
    { inputTokens: 112, cacheWriteTokens: 100, cacheWriteHourTokens: 70 },
  ],
  [
    'Bedrock says which writes are kept for an hour',
    'amazon-bedrock',
    {
      ...{ inputTokens: 12, outputTokens: 7, totalTokens: 119, cacheWriteInputTokens: 100 },
      cacheDetails: [
        { inputTokens: 30, ttl: '5m' },
        { inputTokens: 70, ttl: '1h' },
      ],
    },
    { inputTokens: 112, cacheWriteTokens: 100, cacheWriteHourTokens: 70 },
  ],
]
test.each(ROWS)('%s', async (_rule, name, usage, counts) => {
  expect(await attemptWith(name, usage)).toMatchObject({ ...counts, usageIncomplete: false })
})

test.each([
  ['openai-compatible', null],
  ['openai-compatible', { prompt_tokens: null, completion_tokens: null }],
  ['xai', null],
  ['amazon-bedrock', undefined],
])('%s that reports %o has reported nothing', async (name, usage) => {
  expect(await attemptWith(name, usage)).toMatchObject({
    inputTokens: 0,
    outputTokens: 0,
    usageIncomplete: true,
  })
})
