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

/** The addresses of the providers' services, unless `baseUrl` names another server; null for programs of the operating system. */
export const SPEECH_ADDRESSES: Readonly<
  Record<(typeof STT_PROVIDERS | typeof TTS_PROVIDERS)[number], string | null>
> = {
  deepgram: 'https://api.deepgram.com',
  elevenlabs: 'https://api.elevenlabs.io/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com',
  'local-pocketsphinx': null,
  'local-flite': null,
  'local-espeak': null,
}

export type SttProviderId = (typeof STT_PROVIDERS)[number]
export type TtsProviderId = (typeof TTS_PROVIDERS)[number]
