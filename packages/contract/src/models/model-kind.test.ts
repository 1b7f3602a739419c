import { expect, test } from 'vitest'
import { defaultModel, type ModelKind, modelKindOf } from './model-kind.ts'

// Ids from the model lists of the providers.
const IDS: Record<ModelKind, string[]> = {
  chat: [
    ...[
      'gpt-4o',
      'gpt-5-mini',
      'o4-mini',
      'chatgpt-4o-latest',
      'gpt-4o-audio-preview',
      'gpt-4-vision-preview',
    ],
    ...[
      'claude-opus-4-5',
      'gemini-2.5-pro',
      'models/gemini-2.5-flash',
      'mistral-large-latest',
      'codestral-latest',
    ],
    ...[
      'llama-3.3-70b-versatile',
      'openai/gpt-oss-120b',
      'grok-4',
      'deepseek-reasoner',
      'qwen3:8b',
      'sandbox-1',
    ],
    ...['anthropic.claude-sonnet-4-5-20250929-v1:0', 'us.amazon.nova-pro-v1:0', 'my-deployment', 'reflux-7b'],
  ],
  embedding: [
    ...['text-embedding-3-small', 'text-embedding-ada-002', 'gemini-embedding-001', 'embedding-001'],
    ...[
      'mistral-embed',
      'codestral-embed',
      'nomic-embed-text:latest',
      'BAAI/bge-m3',
      'bge-large-en',
      'all-minilm',
    ],
    ...[
      'amazon.titan-embed-text-v2:0',
      'cohere.embed-v4:0',
      'Qwen/Qwen3-Embedding-8B',
      'voyage-3.5',
      'gte-large',
    ],
    ...['intfloat/multilingual-e5-large', 'embeddinggemma', 'snowflake-arctic-embed', 'sandbox-embed-1'],
  ],
  reranking: [
    'rerank-v3.5',
    'cohere.rerank-v3-5:0',
    'BAAI/bge-reranker-v2-m3',
    'jina-reranker-v2',
    'voyage-rerank-2',
  ],
  speech: [
    'tts-1',
    'tts-1-hd',
    'gpt-4o-mini-tts',
    'playai-tts',
    'gemini-2.5-flash-preview-tts',
    'gpt-realtime',
  ],
  transcription: ['whisper-1', 'whisper-large-v3-turbo', 'gpt-4o-transcribe', 'distil-whisper-large-v3-en'],
  image: [
    'dall-e-3',
    'gpt-image-1',
    'imagen-4.0-generate-001',
    'grok-2-image',
    'black-forest-labs/FLUX.1-dev',
    'gemini-2.5-flash-image',
    'amazon.titan-image-generator-v2:0',
  ],
  video: ['sora-2', 'veo-3.0-generate-001', 'amazon.nova-reel-v1:0'],
  moderation: [
    'omni-moderation-latest',
    'mistral-moderation-latest',
    'meta-llama/llama-guard-4-12b',
    'llama-guard3:8b',
  ],
  other: ['babbage-002', 'davinci-002', 'gpt-3.5-turbo-instruct', 'mistral-ocr-latest', 'aqa'],
}

test.each(Object.entries(IDS))('models for %s are recognised by their ids', (kind, ids) => {
  expect(ids.map((id) => [id, modelKindOf(id)])).toEqual(ids.map((id) => [id, kind]))
})

test('the default is the first chat model, in any order of the list', () => {
  const models = ['babbage-002', 'dall-e-3', 'gpt-5', 'gpt-5-mini'].map((modelId) => ({ modelId }))
  expect(defaultModel(models)?.modelId).toBe('gpt-5')
  expect(defaultModel([{ modelId: 'x', kind: 'embedding' }, { modelId: 'y' }])?.modelId).toBe('y')
  expect(defaultModel([{ modelId: 'my-embedder', kind: 'chat' }, { modelId: 'y' }])?.modelId).toBe(
    'my-embedder',
  )
  expect(defaultModel([{ modelId: 'mistral-embed' }])?.modelId).toBe('mistral-embed')
  expect(defaultModel([])).toBeUndefined()
})
