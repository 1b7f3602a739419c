import type { TtsProviderId } from '@troupe/contract'

/** A text and its voice. null: the provider's default. */
export interface SpokenText {
  text: string
  provider: TtsProviderId
  /** BCP 47. */
  language: string
  model: string | null
  voice: string | null
  baseUrl: string | null
  /** 1 is normal. */
  speed: number
  apiKey: string | null
}

/** The dependencies of speech synthesis. */
export interface SpeakOptions {
  /** Refuses addresses of private networks. */
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}
