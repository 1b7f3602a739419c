/** Speech providers by their common names. */
export const SPEECH_PROVIDERS: Readonly<Record<string, { label: string; detail?: string }>> = {
  deepgram: { label: 'Deepgram' },
  elevenlabs: { label: 'ElevenLabs' },
  openai: { label: 'OpenAI', detail: 'Or any server with a compatible API, by its address' },
  google: { label: 'Google Gemini', detail: 'Beta' },
  'local-pocketsphinx': { label: 'PocketSphinx', detail: 'A program on the worker’s machine; no key' },
  'local-flite': { label: 'Flite', detail: 'A program on the machine; no key' },
  'local-espeak': { label: 'eSpeak', detail: 'A program on the machine; no key' },
}

/** The name of a provider; its id for one that this build does not know. */
export function speechProviderLabel(provider: string): string {
  return SPEECH_PROVIDERS[provider]?.label ?? provider
}
