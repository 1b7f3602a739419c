import { APICallError, InvalidPromptError, LoadAPIKeyError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

function http(statusCode: number, body: object | string = {}, headers: Record<string, string> = {}) {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body)
  return new APICallError({
    message: 'from the provider',
    url: 'https://models.internal/v1',
    requestBodyValues: {},
    statusCode,
    responseBody,
    responseHeaders: headers,
  })
}
const code = (value: string, message = 'x') => ({ error: { message, code: value } })
const network = (value: string) =>
  new APICallError({
    message: 'Cannot connect to API',
    url: 'https://models.internal/v1',
    requestBodyValues: {},
    cause: Object.assign(new Error('connect'), { code: value }),
    isRetryable: true,
  })

const rows: [string, unknown, string, string, string][] = [
  // error, kind, class, code
  ['408', http(408), 'retry', 'timeout', 'http_408'],
  ['409', http(409), 'retry', 'error', 'http_409'],
  ['429', http(429), 'retry', 'rate_limit', 'http_429'],
  ['429 without quota', http(429, code('insufficient_quota')), 'next', 'rate_limit', 'http_429'],
  ['500', http(500), 'retry', 'error', 'http_500'],
  ['504', http(504), 'retry', 'timeout', 'http_504'],
  ['529', http(529), 'retry', 'error', 'http_529'],
  ['500 with an HTML page', http(500, '<html>bad gateway</html>'), 'retry', 'error', 'http_500'],
  ['404', http(404), 'next', 'error', 'model_not_found'],
  ['400 that names the model', http(400, code('model_not_found')), 'next', 'error', 'model_not_found'],
  [
    'context_length_exceeded',
    http(400, code('context_length_exceeded')),
    'next',
    'context_overflow',
    'context_overflow',
  ],
  [
    'prompt too long',
    http(400, code('', 'prompt is too long: 210000 tokens > 200000')),
    'next',
    'context_overflow',
    'context_overflow',
  ],
  ['413', http(413, code('', 'Request too large for model')), 'next', 'error', 'request_too_large'],
  [
    'input token count',
    http(400, code('', 'The input token count exceeds the maximum number of tokens allowed')),
    'next',
    'context_overflow',
    'context_overflow',
  ],
  ['400', http(400), 'fatal', 'error', 'http_400'],
  ['401', http(401), 'fatal', 'error', 'http_401'],
  ['403', http(403), 'fatal', 'error', 'http_403'],
  ['422', http(422), 'fatal', 'error', 'http_422'],
  ['content filter', http(400, code('content_filter')), 'fatal', 'error', 'content_refused'],
  ['reset connection', network('ECONNRESET'), 'retry', 'error', 'network'],
  ['unknown host', network('ENOTFOUND'), 'retry', 'error', 'network'],
  ['refused address', network('ADDRESS_NOT_ALLOWED'), 'fatal', 'error', 'address_not_allowed'],
  ['connect timeout', network('UND_ERR_CONNECT_TIMEOUT'), 'retry', 'timeout', 'network'],
  [
    'error chunk',
    { message: 'The server had an error', type: 'server_error' },
    'retry',
    'error',
    'provider_error',
  ],
  ['error chunk with a status', { message: 'x', code: 502 }, 'retry', 'error', 'http_502'],
  [
    'error chunk of a rate limit',
    { message: 'x', code: 'rate_limit_exceeded' },
    'retry',
    'rate_limit',
    'provider_error',
  ],
  [
    'failed response',
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'x' } } },
    'retry',
    'error',
    'provider_error',
  ],
  [
    'overflow chunk',
    { message: 'x', code: 'context_length_exceeded' },
    'next',
    'context_overflow',
    'context_overflow',
  ],
  [
    'invalid prompt',
    new InvalidPromptError({ prompt: {}, message: 'x' }),
    'fatal',
    'error',
    'invalid_request',
  ],
  ['missing key', new LoadAPIKeyError({ message: 'x' }), 'fatal', 'error', 'invalid_request'],
  ['string', 'boom', 'retry', 'error', 'provider_error'],
  ['nothing', undefined, 'retry', 'error', 'provider_error'],
]

describe('classifyError', () => {
  it.each(rows)('classifies %s', (_name, error, kind, failoverClass, errorCode) => {
    expect(classifyError(error, NOW)).toMatchObject({ kind, class: failoverClass, errorCode })
  })

  it('blames the configuration for outages, not for the request', () => {
    expect(classifyError(http(500), NOW).blamesConfiguration).toBe(true)
    expect(classifyError(http(429), NOW).blamesConfiguration).toBe(true)
    for (const error of [http(401), http(404), http(400, code('context_length_exceeded'))]) {
      expect(classifyError(error, NOW).blamesConfiguration).toBe(false)
    }
  })

  it.each([
    ['ECONNREFUSED', 'the connection was refused'],
    ['ENOTFOUND', 'its host name was not found'],
    ['EAI_AGAIN', 'its host name could not be resolved'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its TLS certificate was not accepted'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'its TLS certificate was not accepted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its TLS certificate was not accepted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its TLS certificate was not accepted'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'the TLS handshake failed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
    ['ETIMEDOUT', 'the connection timed out'],
    ['UND_ERR_SOCKET', 'the connection was closed early'],
    ['ECONNRESET', 'the connection was closed early'],
    ['HPE_INVALID_CONSTANT', 'the answer was not HTTP'],
    ['EHOSTUNREACH', 'there is no route to it'],
    ['UND_ERR_DESTROYED', null],
  ])('reports for %s why the provider was not reached', (value, publicReason) => {
    expect(classifyError(network(value), NOW)).toMatchObject({ errorCode: 'network', publicReason })
  })

  const waits: [Record<string, string>, number | null][] = [
    [{}, null],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '350', 'retry-after': '9' }, 350],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5000],
    [{ 'retry-after': 'soon' }, null],
  ]
  it.each(waits)('reads %o as a wait of %s ms', (headers, ms) => {
    expect(classifyError(http(429, {}, headers), NOW).retryAfterMs).toBe(ms)
  })

  it('survives self-referencing errors', () => {
    const loop = new Error('loop')
    loop.cause = loop
    expect(classifyError(loop, NOW)).toMatchObject({ kind: 'retry', internalMessage: 'Error loop' })
  })
})
