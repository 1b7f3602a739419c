/** What models are for; `other`: none of the others, such as OCR or completions of plain text. */
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

/** The longest id that is looked through; longer ones are chat models. */
const MAX_ID = 300

/** What a model is for, by its id. */
export function modelKindOf(modelId: string): ModelKind {
  const id = modelId.slice(0, MAX_ID).toLowerCase()
  return NAMES.find(([, name]) => name.test(id))?.[0] ?? 'chat'
}

/** A model of a configuration, as far as this is about it. */
interface NamedModel {
  modelId: string
  /** As its provider said or a person set it; absent: by its id. */
  kind?: ModelKind
}

/** Whether a model can be asked to chat, as far as is known. */
export function isChatModel({ modelId, kind }: NamedModel): boolean {
  return (kind ?? modelKindOf(modelId)) === 'chat'
}

/** The model that is asked where none is named: the first that chats; the first of all when none is known to. */
export function defaultModel<Model extends NamedModel>(models: readonly Model[]): Model | undefined {
  return models.find(isChatModel) ?? models[0]
}
