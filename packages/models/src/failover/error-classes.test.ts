import { APICallError, TypeValidationError } from '@ai-sdk/provider'
import { describe, expect, it, test } from 'vitest'
import { classifyError } from './classify-error.ts'
import { ERROR_CLASSES } from './error-classes.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

function http(statusCode: number, body: unknown, headers: Record<string, string> = {}) {
  return new APICallError({
    message: 'Status text',
    url: 'https://models.internal/v1',
    requestBodyValues: {},
    statusCode,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
    responseHeaders: headers,
  })
}

const openai = (message: string, rest: Record<string, unknown> = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...rest },
})
const google = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, message, status, details },
})
const violation = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
})
const retryInfo = (retryDelay: unknown) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
})

/** Bodies as sent by services; each names the public report or the page that shows it. */
const BODIES: [name: string, error: unknown, kind: string, failoverClass: string, errorCode: string][] = [
  [
    // https://platform.openai.com/docs/guides/error-codes/api-errors
    'OpenAI without quota',
    http(429, openai('You exceeded your current quota.', { code: 'insufficient_quota' })),
    'next',
    'rate_limit',
    'http_429',
  ],
  [
    'OpenAI without quota, in a stream',
    { type: 'error', sequence_number: 2, error: { type: 'insufficient_quota', code: 'insufficient_quota' } },
    'next',
    'rate_limit',
    'no_credit',
  ],
  ...['credit_balance_exhausted', 'project_spend_limit_exceeded', 'organization_usage_limit_exceeded'].map(
    // https://learn.microsoft.com/microsoft-cloud/dev/dev-proxy/concepts/openai-insufficient-quota
    (code): (typeof BODIES)[number] => [
      `OpenAI with ${code}`,
      http(429, openai('Requests are stopped.', { type: 'billing_error', code })),
      'next',
      'rate_limit',
      'http_429',
    ],
  ),
  [
    // https://github.com/continuedev/continue/issues/5499
    'Anthropic without credit',
    http(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      },
    }),
    'next',
    'rate_limit',
    'no_credit',
  ],
  [
    // https://github.com/continuedev/continue/issues/10373
    'xAI without credits',
    http(403, {
      code: 'permission-denied',
      error: 'Your team t has either used all available credits or reached its monthly spending limit.',
    }),
    'next',
    'rate_limit',
    'no_credit',
  ],
  [
    // https://github.com/can1357/oh-my-pi/issues/9569
    'OpenRouter without credits',
    http(402, { error: { code: 402, message: 'This request requires more credits, or fewer max_tokens.' } }),
    'next',
    'rate_limit',
    'http_402',
  ],
  [
    // https://api-docs.deepseek.com/quick_start/error_codes
    'DeepSeek without balance',
    http(402, openai('Insufficient Balance', { type: 'unknown_error' })),
    'next',
    'rate_limit',
    'http_402',
  ],
  ['a 402 of nobody in particular', http(402, ''), 'next', 'rate_limit', 'http_402'],
  [
    // https://ai.google.dev/gemini-api/docs/rate-limits
    'Gemini over its limit of a minute',
    http(
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan.', [
        violation('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
        retryInfo('34.4s'),
      ]),
    ),
    'retry',
    'rate_limit',
    'http_429',
  ],
  [
    'Gemini over its limit of a day',
    http(
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan.', [
        violation('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
      ]),
    ),
    'next',
    'rate_limit',
    'http_429',
  ],
  [
    // https://ai.google.dev/gemini-api/docs/troubleshooting
    'Gemini with a wrong key',
    http(
      400,
      google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      ]),
    ),
    'fatal',
    'error',
    'key_refused',
  ],
  [
    'Gemini’s OpenAI protocol, which answers with an array',
    http(400, [google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')]),
    'fatal',
    'error',
    'key_refused',
  ],
  [
    // https://docs.x.ai/docs/key-information/debugging
    'xAI with a wrong key',
    http(400, {
      code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: xa***1. ',
    }),
    'fatal',
    'error',
    'key_refused',
  ],
  [
    // https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
    'Bedrock with a wrong key',
    http(403, { message: 'The security token included in the request is invalid.' }),
    'fatal',
    'error',
    'key_refused',
  ],
  ['a 401', http(401, openai('Incorrect API key provided')), 'fatal', 'error', 'http_401'],
  [
    // https://github.com/HunorLaczko/ha-groq-cloud-api/issues/27
    'Groq over its tokens per minute',
    http(413, {
      error: {
        message:
          'Request too large for model llama in organization org_x service tier on_demand on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    }),
    'next',
    'rate_limit',
    'rate_too_large',
  ],
  [
    // https://github.com/vanna-ai/vanna-flask/issues/11
    'OpenAI over its tokens per minute with one request',
    http(
      429,
      openai(
        'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.',
      ),
    ),
    'next',
    'rate_limit',
    'rate_too_large',
  ],
  [
    // https://console.groq.com/docs/errors
    'Groq’s limit of bytes',
    http(413, { error: { message: 'Request Entity Too Large', type: 'invalid_request_error' } }),
    'next',
    'error',
    'request_too_large',
  ],
  [
    'a 413 that is about the context',
    http(
      413,
      openai('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }),
    ),
    'next',
    'context_overflow',
    'context_overflow',
  ],
  [
    // https://github.com/johny-b/llmcomp/issues/69
    'an unsupported value of a parameter',
    http(
      400,
      openai(
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        { param: 'temperature', code: 'unsupported_value' },
      ),
    ),
    'fatal',
    'error',
    'parameter_refused',
  ],
  [
    // https://github.com/microsoft/graphrag/issues/1557
    'Azure’s embedding model, asked to chat',
    http(400, {
      error: {
        code: 'OperationNotSupported',
        message:
          'The chatCompletion operation does not work with the specified model, text-embedding-3-large. Please choose different model and try again.',
      },
    }),
    'next',
    'error',
    'not_a_chat_model',
  ],
  [
    // https://github.com/decolua/9router/issues/1304
    'OpenRouter’s embedding model, asked to chat',
    http(
      400,
      openai('nvidia/embed is an embedding model and cannot be used with the chat/completions endpoint.'),
    ),
    'next',
    'error',
    'not_a_chat_model',
  ],
  [
    // https://github.com/ollama/ollama/issues/2778
    'Ollama’s embedding model, asked to chat',
    http(400, { error: 'embedding models do not support chat' }),
    'next',
    'error',
    'not_a_chat_model',
  ],
  [
    // https://openrouter.ai/docs/api-reference/errors
    'OpenRouter’s error of a provider, with the JSON of that provider',
    http(400, {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: {
          provider_name: 'Anthropic',
          raw: JSON.stringify({ type: 'error', error: { message: 'prompt is too long: 210000 tokens' } }),
        },
      },
    }),
    'next',
    'context_overflow',
    'context_overflow',
  ],
  [
    // https://github.com/ogx-ai/ogx/pull/5224
    'an error event whose code is a status',
    { type: 'error', code: '429', message: 'slow down', sequence_number: 5 },
    'retry',
    'rate_limit',
    'http_429',
  ],
  [
    // https://github.com/Blaizzy/nativ/pull/195
    'an error chunk that is only a text',
    new TypeValidationError({ value: { error: 'context length exceeded' }, cause: new Error('x') }),
    'next',
    'context_overflow',
    'context_overflow',
  ],
  [
    'an HTML page of a proxy',
    http(502, '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'),
    'retry',
    'error',
    'http_502',
  ],
]

describe('errors of providers', () => {
  it.each(BODIES)('classifies %s', (_name, error, kind, failoverClass, errorCode) => {
    expect(classifyError(error, NOW)).toMatchObject({ kind, class: failoverClass, errorCode })
  })

  it.each([
    [
      "Unsupported parameter: 'temperature' is not supported with this model.",
      { param: 'temperature' },
      'temperature',
    ],
    // https://github.com/fwdai/reticle/issues/7
    ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', {}, 'top_p'],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens' },
      'max_tokens',
    ],
    [
      'max_tokens is too large: 32000. This model supports at most 16384 completion tokens.',
      { param: 'max_tokens' },
      'max_tokens',
    ],
    [
      'The model returned the following errors: Malformed input request: #: extraneous key [top_p] is not permitted',
      {},
      'top_p',
    ],
    ['`temperature` is deprecated for this model.', {}, 'temperature'],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', {}, 'max_tokens'],
    ['Argument not supported on this model: reasoning_effort', {}, 'reasoning_effort'],
  ] as const)('name the refused parameter: %s', (message, rest, parameter) => {
    expect(classifyError(http(400, openai(message, rest)), NOW)).toMatchObject({
      errorCode: 'parameter_refused',
      kind: 'fatal',
      parameter,
    })
  })

  it('name the parameter that a validator of the server names', () => {
    // The response format of FastAPI, which vLLM and Mistral use.
    const detail = [
      { type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted', input: 3 },
    ]
    expect(classifyError(http(422, { detail }), NOW)).toMatchObject({ parameter: 'seed' })
    expect(classifyError(http(422, { object: 'error', message: { detail } }), NOW)).toMatchObject({
      parameter: 'seed',
    })
  })

  it.each([
    ["Unsupported parameter: 'tools' is not supported with this model.", { param: 'tools' }],
    [
      "Invalid value: 'x'. Supported values are: 'user'. The temperature of the day",
      { param: 'messages[0].role' },
    ],
    ['Thinking may not be enabled when tool_choice forces tool use.', {}],
    ['temperature: the weather is fine', {}],
  ])('blame no parameter of ours: %s', (message, rest) => {
    expect(classifyError(http(400, openai(message, rest)), NOW)).toMatchObject({
      errorCode: 'http_400',
      parameter: null,
    })
  })

  it('are not read from parts of the body that repeat the request', () => {
    const input = 'Please explain insufficient_quota, content_filter and context_length_exceeded.'
    const detail = [{ type: 'value_error', loc: ['body', 'messages'], msg: 'Value error', input }]
    expect(classifyError(http(422, { detail, body: { text: input } }), NOW).errorCode).toBe('http_422')
  })

  it.each([
    [openai('Over the limit'), 'Over the limit'],
    [{ message: 'x'.repeat(10), code: 20042, data: null }, 'xxxxxxxxxx'],
    [{ error: 'model is loading' }, 'model is loading'],
    [
      {
        error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"too busy"}}' } },
      },
      'too busy',
    ],
    [{ errors: [{ message: 'first' }, { message: 'second' }] }, 'first'],
    ['<html><title>Just a moment</title><p>x</p></html>', 'Just a moment'],
    ['upstream connect error', 'upstream connect error'],
    [{ detail: 'Not authenticated' }, 'Not authenticated'],
  ])('report the message of the provider: %j', (body, sentence) => {
    expect(classifyError(http(418, body), NOW).providerMessage).toBe(sentence)
  })

  it('are read within a budget, whatever the body', () => {
    const deep = `${'{"error":'.repeat(5_000)}"x"${'}'.repeat(5_000)}`
    const wide = {
      errors: Array.from({ length: 50_000 }, (_, n) => ({ message: `m${n}`, code: 'x'.repeat(5_000) })),
    }
    for (const body of [deep, wide, 'x'.repeat(5_000_000)]) {
      const { internalMessage } = classifyError(http(500, body), NOW)
      expect(internalMessage.length).toBeLessThan(5_000)
    }
  })
})

describe("the provider's requested wait", () => {
  it.each([
    // https://ai.google.dev/api/rest/v1/Status, google.rpc.RetryInfo
    [google(429, 'RESOURCE_EXHAUSTED', 'Quota.', [retryInfo('34.4s')]), {}, 34_400],
    [google(429, 'RESOURCE_EXHAUSTED', 'Quota.', [retryInfo({ seconds: '7' })]), {}, 7_000],
    // https://github.com/elizaOS/eliza/issues/4040 and https://github.com/continuedev/continue/issues/10920
    [openai('Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more?'), {}, 4_770],
    [openai('Limit 100000, Used 97050. Please try again in 9m38.016s.'), {}, 578_016],
    [openai('Please try again in 858ms.'), {}, 858],
    // https://github.com/microsoft/sample-app-aoai-chatGPT/issues/406
    [openai('exceeded token rate limit of your current tier. Please retry after 9 seconds.'), {}, 9_000],
    [openai('Please try again in 1 minute.'), {}, 60_000],
    [openai('Try again later.'), {}, null],
    [openai('You sent 5 requests'), {}, null],
    // https://platform.openai.com/docs/guides/rate-limits, https://console.groq.com/docs/rate-limits
    [
      openai('x'),
      {
        ...{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m26.4s' },
        ...{ 'x-ratelimit-remaining-tokens': '9', 'x-ratelimit-reset-tokens': '6h' },
      },
      86_400,
    ],
    [openai('x'), { 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    // https://docs.claude.com/en/api/rate-limits
    [
      openai('x'),
      {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:20Z',
      },
      20_000,
    ],
    // https://openrouter.ai/docs/api-reference/limits
    [
      {
        error: {
          code: 429,
          message: 'x',
          metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(NOW + 9_000) } },
        },
      },
      {},
      9_000,
    ],
    [openai('Please try again in 20s'), { 'retry-after': '2' }, 2_000],
    [{ error: { message: 'x' }, retry_after: 3 }, {}, 3_000],
  ])('is read from %j with %j as %s ms', (body, headers, ms) => {
    const failure = classifyError(http(429, body, headers as Record<string, string>), NOW)
    expect(failure.retryAfterMs).toBe(ms)
  })

  it('is not that of a rate limit for other errors', () => {
    const headers = { 'x-ratelimit-reset-requests': '6m0s' }
    expect(classifyError(http(500, openai('x'), headers), NOW).retryAfterMs).toBeNull()
  })
})

test('every rule has a source in documentation or a report', () => {
  for (const { sources } of ERROR_CLASSES) {
    expect(Object.values(sources).length).toBeGreaterThan(0)
    for (const source of Object.values(sources)) expect(source).toMatch(/^https:\/\/\S+$/)
  }
})
