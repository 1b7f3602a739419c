/** Speech-to-text providers of a voice configuration. The local one needs no account. */
export const STT_PROVIDERS = ['deepgram', 'elevenlabs', 'openai', 'google', 'local-pocketsphinx'] as const
/** Text-to-speech providers of a voice configuration. The local ones need no account. */
export const TTS_PROVIDERS = [
  'deepgram',
  'elevenlabs',
  'openai',
  'google',
  'local-flite',
  'local-espeak',
] as const

export type SttProviderId = (typeof STT_PROVIDERS)[number]
export type TtsProviderId = (typeof TTS_PROVIDERS)[number]
