/** Every model provider that an LLM configuration may name, as its public `providerId`. */
export const PROVIDER_IDS = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'groq',
  'xai',
  'azure-openai',
  'amazon-bedrock',
  'openai-compatible',
  'sandbox',
] as const

/** The technology behind an LLM configuration. */
export type ProviderId = (typeof PROVIDER_IDS)[number]
