import { type JsonObject, type ModelKind, modelKindOf, propertyOf } from '@troupe/contract'

/**
 * Values in lists for the kinds of models: `type` of Together (https://docs.together.ai/reference/models-1) and LM
 * Studio, `task` of others.
 */
const WORDS: Readonly<Record<string, ModelKind>> = {
  ...{ chat: 'chat', llm: 'chat', vlm: 'chat', 'chat-completion': 'chat', 'text-generation': 'chat' },
  ...{ embedding: 'embedding', embeddings: 'embedding', 'feature-extraction': 'embedding' },
  ...{ rerank: 'reranking', reranker: 'reranking', moderation: 'moderation', image: 'image', video: 'video' },
  ...{ audio: 'speech', tts: 'speech', transcribe: 'transcription', stt: 'transcription', language: 'other' },
}
/** Google's methods (https://ai.google.dev/api/models#Model). */
const METHODS: readonly [string, ModelKind][] = [
  ['embedContent', 'embedding'],
  ['embedText', 'embedding'],
  ['predictLongRunning', 'video'],
  ['predict', 'image'],
  ['bidiGenerateContent', 'speech'],
]

const textsOf = (value: unknown) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : null

/**
 * The purpose of a model according to its provider's list, or by its id if the list has none. Lists also mark speech
 * and image models as generating text, but their ids reveal the purpose.
 */
export function offeredKind(item: JsonObject, modelId: string): ModelKind {
  const named = modelKindOf(modelId)
  const said = saidKind(item)
  return said === null || (said === 'chat' && named !== 'chat') ? named : said
}

/** null: the list does not say. */
function saidKind(item: JsonObject): ModelKind | null {
  const methods = textsOf(item.supportedGenerationMethods)
  if (methods) {
    if (methods.includes('generateContent')) return 'chat'
    return METHODS.find(([method]) => methods.includes(method))?.[1] ?? 'other'
  }
  // Mistral (https://docs.mistral.ai/api/endpoint/models).
  const chats = propertyOf(item.capabilities, 'completion_chat') ?? item.supports_chat
  if (chats === true) return 'chat'
  if (chats === false) return otherThanChat(item)
  // OpenRouter (https://openrouter.ai/docs/api-reference/list-available-models).
  const outputs = textsOf(propertyOf(item.architecture, 'output_modalities'))
  if (outputs && outputs.length > 0)
    return outputs.includes('text') ? 'chat' : (kindOfWord(outputs[0]) ?? 'other')
  // Cohere (https://docs.cohere.com/reference/list-models).
  const endpoints = textsOf(item.endpoints)
  if (endpoints && endpoints.length > 0) {
    return endpoints.includes('chat')
      ? 'chat'
      : endpoints.includes('embed')
        ? 'embedding'
        : kindOfWord(endpoints[0])
  }
  return kindOfWord(item.type) ?? kindOfWord(item.task)
}

function otherThanChat(item: JsonObject): ModelKind {
  const named = typeof item.id === 'string' ? modelKindOf(item.id) : 'other'
  return named === 'chat' ? 'other' : named
}

function kindOfWord(word: unknown): ModelKind | null {
  const key = typeof word === 'string' ? word.toLowerCase() : ''
  return Object.hasOwn(WORDS, key) ? (WORDS[key] ?? null) : null
}
