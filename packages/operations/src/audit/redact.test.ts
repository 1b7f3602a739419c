import { expect, test } from 'vitest'
import { redact } from './redact.ts'

test('secrets are replaced, everything else is unchanged', () => {
  const config = {
    model: {
      primary: { llm_config_id: 'id', max_output_tokens: 5, provider_options: { apiKey: 'sk-1' } },
      retry: { first_token_timeout_ms: 15_000 },
    },
    memory: { summary: { trigger_tokens: 6000 } },
    tools: [
      {
        name: 'crm',
        url: 'https://crm.test',
        headers: { 'X-Anything': 'sk-2' },
        auth_credential_id: 'id',
        context_keys: [{ key: 'token' }],
        body: { password: 'sk-3', note: 'plain' },
      },
    ],
    metadata: { client_secret: 'sk-4', team: 'red' },
  }
  expect(JSON.stringify(redact(config))).not.toContain('sk-')
  expect(redact(config)).toMatchObject({
    model: {
      primary: { llm_config_id: 'id', max_output_tokens: 5 },
      retry: { first_token_timeout_ms: 15_000 },
    },
    memory: { summary: { trigger_tokens: 6000 } },
    tools: [
      { headers: { 'X-Anything': '[redacted]' }, auth_credential_id: 'id', context_keys: [{ key: 'token' }] },
    ],
    metadata: { client_secret: '[redacted]', team: 'red' },
  })
})
