import type { CredentialId } from '../schema/ids.ts'
import { propertyOf } from '../schema/json-object.ts'
import { type ConfigReference, itemsOf, referenceAt } from './config-reference.ts'

/** All references in a voice configuration besides its agent: the credentials of its providers and of their fallbacks. */
export function voiceReferences(voice: {
  sttCredentialId: CredentialId | null
  ttsCredentialId: CredentialId | null
  settings: unknown
}): ConfigReference[] {
  const fallbacksOf = (half: 'stt' | 'tts') =>
    itemsOf(propertyOf(propertyOf(voice.settings, half), 'fallbacks')).flatMap((fallback, at) =>
      referenceAt(fallback, 'credential_id', 'credential', `settings.${half}.fallbacks.${at}`),
    )
  return [
    ...referenceAt(voice, 'sttCredentialId', 'credential', 'voice'),
    ...referenceAt(voice, 'ttsCredentialId', 'credential', 'voice'),
    ...fallbacksOf('stt'),
    ...fallbacksOf('tts'),
  ]
}
