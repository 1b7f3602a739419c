import {
  type CompleteVoiceSettings,
  CredentialId,
  checkedId,
  type IdText,
  SPEECH_ADDRESSES,
  STT_PROVIDERS,
  type SttProviderId,
  TTS_PROVIDERS,
  type TtsProviderId,
} from '@troupe/contract'
import type { SttChoice, TtsChoice } from '@troupe/contract/voice-worker'

/** The providers of a voice configuration. */
export interface SpeechConfiguration {
  sttProvider: string
  ttsProvider: string
  sttCredentialId: CredentialId | null
  ttsCredentialId: CredentialId | null
}

/** The service that receives a credential. */
export interface SpeechService {
  provider: string
  /** null: the provider's own address. */
  baseUrl: string | null
}

/** The secret of a credential that the session's agent may use with this service; null when there is none. */
export type SecretOf = (credentialId: CredentialId, service: SpeechService) => Promise<string | null>

/** Configured speech recognition or synthesis; recognition has no voice. */
interface Speech {
  model: string | null
  baseUrl: string | null
  voice?: string | null
  fallbacks: readonly {
    provider: string
    credential_id?: IdText<CredentialId> | null
    model?: string
    voice?: string
  }[]
}

interface Named {
  provider: string
  credentialId: CredentialId | null
  model: string | null
  baseUrl: string | null
  voice: string | null
}

/** The providers of a session with their secrets, in the order in which they are tried. Unknown providers, and services without
 * a usable key, are omitted: a self-hosted one may need none. */
export async function speechProviders(
  configuration: SpeechConfiguration,
  settings: CompleteVoiceSettings,
  secretOf: SecretOf,
): Promise<{ stt: SttChoice[]; tts: TtsChoice[] }> {
  const { sttProvider, ttsProvider, sttCredentialId, ttsCredentialId } = configuration
  const grammar = settings.stt.grammar ? [...settings.stt.grammar] : null
  const { speed } = settings.tts
  const heard = named(settings.stt, sttProvider, sttCredentialId)
  const spoken = named(settings.tts, ttsProvider, ttsCredentialId)
  const [stt, tts] = await Promise.all([
    resolved(heard, secretOf, (one, apiKey): SttChoice[] => {
      const provider = STT_PROVIDERS.find((id): id is SttProviderId => id === one.provider)
      return provider && isUsable(provider, one, apiKey)
        ? [{ provider, model: one.model, baseUrl: one.baseUrl, apiKey, grammar }]
        : []
    }),
    resolved(spoken, secretOf, (one, apiKey): TtsChoice[] => {
      const provider = TTS_PROVIDERS.find((id): id is TtsProviderId => id === one.provider)
      const { model, baseUrl, voice } = one
      return provider && isUsable(provider, one, apiKey)
        ? [{ provider, model, baseUrl, apiKey, voice, speed }]
        : []
    }),
  ])
  return { stt, tts }
}

/** The configured provider, and its fallbacks after it. */
function named(
  { model, baseUrl, voice = null, fallbacks }: Speech,
  provider: string,
  credentialId: CredentialId | null,
): Named[] {
  const others = fallbacks.map((one) => ({
    provider: one.provider,
    credentialId: one.credential_id ? checkedId(CredentialId, one.credential_id) : null,
    model: one.model ?? null,
    baseUrl: null,
    voice: one.voice ?? null,
  }))
  return [{ provider, credentialId, model, baseUrl, voice }, ...others]
}

function isUsable(
  provider: keyof typeof SPEECH_ADDRESSES,
  { baseUrl }: Pick<Named, 'baseUrl'>,
  apiKey: string | null,
): boolean {
  return apiKey !== null || baseUrl !== null || SPEECH_ADDRESSES[provider] === null
}

async function resolved<T>(
  all: readonly Named[],
  secretOf: SecretOf,
  choice: (one: Named, apiKey: string | null) => T[],
): Promise<T[]> {
  const choices = await Promise.all(
    all.map(async (one) =>
      choice(one, one.credentialId === null ? null : await secretOf(one.credentialId, one)),
    ),
  )
  return choices.flat()
}
