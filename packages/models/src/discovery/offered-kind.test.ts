import { expect, test } from 'vitest'
import { offeredKind } from './offered-kind.ts'

test.each([
  // https://ai.google.dev/api/models#Model
  [
    'Google',
    { name: 'models/gemini-x', supportedGenerationMethods: ['generateContent', 'countTokens'] },
    'chat',
  ],
  ['Google', { name: 'models/x-001', supportedGenerationMethods: ['embedContent'] }, 'embedding'],
  ['Google', { name: 'models/x-002', supportedGenerationMethods: ['predict'] }, 'image'],
  ['Google', { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] }, 'other'],
  [
    'Google',
    { name: 'gemini-2.5-flash-preview-tts', supportedGenerationMethods: ['generateContent'] },
    'speech',
  ],
  // https://docs.mistral.ai/api/endpoint/models
  ['Mistral', { id: 'mistral-small', capabilities: { completion_chat: true } }, 'chat'],
  ['Mistral', { id: 'mistral-embed', capabilities: { completion_chat: false } }, 'embedding'],
  ['Mistral', { id: 'something-new', capabilities: { completion_chat: false } }, 'other'],
  // https://openrouter.ai/docs/api-reference/list-available-models
  ['OpenRouter', { id: 'a/b', architecture: { output_modalities: ['image', 'text'] } }, 'chat'],
  ['OpenRouter', { id: 'a/b', architecture: { output_modalities: ['embeddings'] } }, 'embedding'],
  // https://docs.together.ai/reference/models-1
  ['Together', { id: 'a/b', type: 'chat' }, 'chat'],
  ['Together', { id: 'a/b', type: 'embedding' }, 'embedding'],
  ['Together', { id: 'a/b', type: 'rerank' }, 'reranking'],
  // https://docs.cohere.com/reference/list-models
  ['Cohere', { name: 'command-a', endpoints: ['generate', 'chat'] }, 'chat'],
  ['Cohere', { name: 'x', endpoints: ['embed', 'classify'] }, 'embedding'],
  ['OpenAI, which does not say', { id: 'text-embedding-3-small', object: 'model' }, 'embedding'],
  ['Anthropic, which does not say', { id: 'claude-x', type: 'model' }, 'chat'],
])('%s lists %j as a model for %s', (_provider, item, kind) => {
  const { id, name } = item as { id?: string; name?: string }
  expect(offeredKind(item, id ?? name ?? '')).toBe(kind)
})
