/** Purposes of models; `other`: none of the others, such as OCR or completions of plain text. */
export const MODEL_KINDS = [
  'chat',
  'embedding',
  'reranking',
  'speech',
  'transcription',
  'image',
  'video',
  'moderation',
  'other',
] as const
export type ModelKind = (typeof MODEL_KINDS)[number]

/**
 * Names of models that do not chat, as their providers document them: OpenAI (https://platform.openai.com/docs/models),
 * Google (https://ai.google.dev/gemini-api/docs/models), Mistral (https://docs.mistral.ai/getting-started/models/),
 * Groq (https://console.groq.com/docs/models), Amazon (https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html),
 * and families of open models (https://ollama.com/search?c=embedding). The first match counts.
 */
const NAMES: readonly [ModelKind, RegExp][] = [
  ['reranking', /rerank/],
  [
    'embedding',
    /embed|(^|[-_./:])(bge|gte|e5|minilm|voyage|stella)([-_.:\d]|$)|all-mpnet|text-(similarity|search)-|^paraphrase-/,
  ],
  ['moderation', /moderation|llama-?guard|prompt-?guard|shieldgemma|safeguard/],
  ['transcription', /whisper|transcribe|(^|[-_./:])(asr|parakeet|canary)([-_.:\d]|$)/],
  [
    'speech',
    /(^|[-_./:])(tts|orpheus|playai|kokoro)([-_.:\d]|$)|text-to-speech|realtime|native-audio|nova-sonic/,
  ],
  ['video', /(^|[-_./:])(sora|veo|nova-reel|kling)([-_.:\d]|$)/],
  [
    'image',
    /dall-e|gpt-image|stable-diffusion|(^|[-_./:])(imagen|flux|sdxl|sd3|recraft|seedream|nova-canvas)([-_.:\d]|$)|[-_](image|image-generator|image-generation)([-_.:]|$)/,
  ],
  [
    'other',
    /(^|[-_./:])(ocr|aqa)([-_.:]|$)|^(babbage|davinci)-002$|^text-(davinci|curie|babbage|ada)-|^gpt-3\.5-turbo-instruct/,
  ],
]

/** Maximum length of an id to match; longer ones count as chat models. */
const MAX_ID = 300

/** The purpose of a model, by its id. */
export function modelKindOf(modelId: string): ModelKind {
  const id = modelId.slice(0, MAX_ID).toLowerCase()
  return NAMES.find(([, name]) => name.test(id))?.[0] ?? 'chat'
}

/** The fields of a configuration's model used here. */
interface NamedModel {
  modelId: string
  /** As reported by its provider or set by a person; absent: derived from its id. */
  kind?: ModelKind
}

/** Whether a model is a chat model, as far as known. */
export function isChatModel({ modelId, kind }: NamedModel): boolean {
  return (kind ?? modelKindOf(modelId)) === 'chat'
}

/** The model if none is named: the first chat model, or the first model if none is known to be a chat model. */
export function defaultModel<Model extends NamedModel>(models: readonly Model[]): Model | undefined {
  return models.find(isChatModel) ?? models[0]
}
