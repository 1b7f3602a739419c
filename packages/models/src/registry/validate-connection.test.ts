import type { ProviderId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { ConnectionInput } from '../provider/provider.ts'
import { validateConnection } from './validate-connection.ts'

const KEY = { apiKey: 'k' }
const input = (over: Partial<ConnectionInput> = {}): ConnectionInput => ({
  baseUrl: null,
  credentials: KEY,
  settings: {},
  ...over,
})

const valid: [ProviderId, ConnectionInput][] = [
  ['openai', input({ settings: { organization: 'o', project: 'p', api: 'chat', headers: { 'x-a': 'b' } } })],
  ['anthropic', input({ baseUrl: 'https://proxy.example.com/v1' })],
  ['google', input()],
  ['mistral', input({ settings: { structuredOutputs: false } })],
  ['groq', input({ settings: { streamUsage: false, structuredOutputs: false, strictSchemas: false } })],
  ['xai', input({ settings: { strictSchemas: false } })],
  ['azure-openai', input({ settings: { resourceName: 'my-resource' } })],
  ['azure-openai', input({ baseUrl: 'https://x.example.com/openai' })],
  ['amazon-bedrock', input({ settings: { region: 'eu-central-1' } })],
  [
    'amazon-bedrock',
    input({ credentials: { accessKeyId: 'a', secretAccessKey: 's' }, settings: { region: 'us-gov-west-1' } }),
  ],
  ['openai-compatible', input({ baseUrl: 'http://127.0.0.1:11434/v1', credentials: {} })],
  ['sandbox', input({ credentials: {} })],
]

describe('validateConnection', () => {
  it.each(valid)('accepts a connection of %s', (providerId, connection) => {
    expect(validateConnection(providerId, connection)).toEqual([])
  })

  it('reports every failure at once, with its path', () => {
    const connection = {
      baseUrl: 'ftp://user:pw@host/',
      credentials: { apiKey: '', token: 'x' },
      settings: { headers: { 'bad name': 'x' }, colour: 'red' },
    }
    expect(validateConnection('openai', connection)).toEqual([
      { path: 'baseUrl', message: 'must start with https:// or http://' },
      { path: 'credentials.apiKey', message: 'is required' },
      { path: 'credentials.token', message: 'is not known to this provider' },
      { path: 'settings.headers', message: 'must be an object of header names and values' },
      { path: 'settings.colour', message: 'is not known to this provider' },
    ])
  })

  const invalid: [string, ProviderId, ConnectionInput, string[]][] = [
    ['no base URL', 'openai-compatible', input(), ['baseUrl']],
    ['a relative base URL', 'openai-compatible', input({ baseUrl: '/v1' }), ['baseUrl']],
    ['credentials in the URL', 'openai', input({ baseUrl: 'https://u:p@h/v1' }), ['baseUrl']],
    ['a query in the URL', 'openai', input({ baseUrl: 'https://h/v1?key=1' }), ['baseUrl']],
    ['a base URL for the sandbox', 'sandbox', input({ baseUrl: 'https://h', credentials: {} }), ['baseUrl']],
    ['neither resource nor URL', 'azure-openai', input(), ['settings.resourceName']],
    [
      'a resource that changes the host',
      'azure-openai',
      input({ settings: { resourceName: 'a.b/#' } }),
      ['settings.resourceName'],
    ],
    [
      'no AWS keys',
      'amazon-bedrock',
      input({ credentials: {}, settings: { region: 'eu-west-1' } }),
      ['credentials.accessKeyId', 'credentials.secretAccessKey'],
    ],
    [
      'half a key pair',
      'amazon-bedrock',
      input({ credentials: { accessKeyId: 'a' }, settings: {} }),
      ['settings.region', 'credentials.secretAccessKey'],
    ],
    [
      'a region that changes the host',
      'amazon-bedrock',
      input({ settings: { region: 'x.evil.com/' } }),
      ['settings.region'],
    ],
    ['a line break in a key', 'openai', input({ credentials: { apiKey: 'a\nb' } }), ['credentials.apiKey']],
    [
      'a line break in a header',
      'openai',
      input({ settings: { headers: { a: 'b\r\nc: d' } } }),
      ['settings.headers'],
    ],
    ...[0, 65, 1.5, '10'].map((embeddingBatch): [string, ProviderId, ConnectionInput, string[]] => [
      `${JSON.stringify(embeddingBatch)} texts of an embedding request`,
      'openai',
      input({ settings: { embeddingBatch } }),
      ['settings.embeddingBatch'],
    ]),
    ['an unknown API', 'openai', input({ settings: { api: 'soap' } }), ['settings.api']],
  ]
  it.each(invalid)('refuses %s', (_name, providerId, connection, paths) => {
    expect(validateConnection(providerId, connection).map(({ path }) => path)).toEqual(paths)
  })

  it('never repeats a credential in a message', () => {
    const problems = validateConnection('openai', input({ credentials: { apiKey: 'very secret\n' } }))
    expect(JSON.stringify(problems)).not.toContain('very secret')
  })
})
