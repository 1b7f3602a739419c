import {
  type CredentialId,
  completeVoiceSettings,
  type FieldError,
  type IdText,
  jsonBytes,
  type ProjectId,
  SPEECH_ADDRESSES,
  type VoiceSettings,
} from '@troupe/contract'
import type { CredentialRecord } from '@troupe/storage'
import { type CredentialHosts, isForUrl } from '../credentials/credential-hosts.ts'
import { mayUseCredential } from '../credentials/may-use-credential.ts'

/** A credential that a voice configuration names, and its destination. */
export interface SpeechCredential {
  /** `sttCredentialId`, `settings.tts.fallbacks.0.credential_id` and the like. */
  path: string
  credentialId: IdText<CredentialId>
  provider: string
  /** null: the provider's own service. */
  baseUrl: string | null
}

/** Speech settings of a voice. */
export interface SpokenConfiguration {
  sttProvider: string
  ttsProvider: string
  sttCredentialId: IdText<CredentialId> | null
  ttsCredentialId: IdText<CredentialId> | null
  settings: VoiceSettings
}

/** Every credential of a voice configuration. */
export function speechCredentials(configuration: SpokenConfiguration): SpeechCredential[] {
  return (['stt', 'tts'] as const).flatMap((part) => {
    const { baseUrl = null, fallbacks = [] } = configuration.settings[part] ?? {}
    const provider = configuration[`${part}Provider`]
    const first = { path: `${part}CredentialId`, credentialId: configuration[`${part}CredentialId`] }
    const others = fallbacks.map((fallback, index) => ({
      path: `settings.${part}.fallbacks.${index}.credential_id`,
      credentialId: fallback.credential_id ?? null,
      provider: fallback.provider,
      baseUrl: null,
    }))
    return [{ ...first, provider, baseUrl }, ...others].flatMap(({ credentialId, ...use }) =>
      credentialId === null ? [] : [{ ...use, credentialId }],
    )
  })
}

/** Unknown keys are kept, so the size of all settings has its own limit. */
const MAX_SETTINGS_BYTES = 64 * 1024

/** Rules for settings beyond their schema. */
export function voiceSettingsFaults({
  ttsProvider,
  settings,
}: Pick<SpokenConfiguration, 'ttsProvider' | 'settings'>): FieldError[] {
  const { turn } = completeVoiceSettings(settings)
  const errors = [...geminiFaults(ttsProvider, settings), ...twoDeepgramVoices(ttsProvider, settings)]
  if (jsonBytes(settings, MAX_SETTINGS_BYTES) > MAX_SETTINGS_BYTES) {
    errors.push({ path: 'settings', message: 'must be at most 64 KB of JSON' })
  }
  if (turn.minDelayMs > turn.maxDelayMs) {
    errors.push({
      path: 'settings.turn.minDelayMs',
      message: `must be at most maxDelayMs, ${turn.maxDelayMs}`,
    })
  }
  return errors
}

/** Gemini has a single address and a single speed. */
function geminiFaults(ttsProvider: string, { tts = {} }: VoiceSettings): FieldError[] {
  if (ttsProvider !== 'google') return []
  const errors: FieldError[] = []
  if (tts.baseUrl !== undefined) {
    errors.push({
      path: 'settings.tts.baseUrl',
      message: 'must be absent: google supports only its own address',
    })
  }
  if (tts.speed !== undefined && tts.speed !== 1) {
    errors.push({ path: 'settings.tts.speed', message: 'must be 1: google speaks at one speed' })
  }
  return errors
}

/** Deepgram's voices are models, so a voice would be ignored if a model is set. */
function twoDeepgramVoices(ttsProvider: string, { tts = {} }: VoiceSettings): FieldError[] {
  const { fallbacks = [] } = tts
  const others = fallbacks.map((one, index) => ({ ...one, path: `settings.tts.fallbacks.${index}.voice` }))
  return [{ ...tts, provider: ttsProvider, path: 'settings.tts.voice' }, ...others].flatMap(
    ({ provider, model, voice, path }) =>
      provider === 'deepgram' && model !== undefined && voice !== undefined
        ? [{ path, message: 'must be absent beside a model: the voices of deepgram are models' }]
        : [],
  )
}

/**
 * Faults of the credentials of a configuration.
 *
 * @param projectId the agent's project
 * @param find a credential of the organization by its id
 */
export function speechCredentialFaults(
  configuration: SpokenConfiguration,
  projectId: ProjectId | null,
  find: (id: string) => Pick<CredentialRecord, 'projectId' | 'hosts'> | undefined,
): FieldError[] {
  return speechCredentials(configuration).flatMap(({ path, credentialId, ...use }) => {
    const credential = find(credentialId)
    if (!credential) return [{ path, message: 'is not a credential of this organization' }]
    if (!mayUseCredential(projectId, credential.projectId)) {
      return [{ path, message: 'belongs to another project than the agent' }]
    }
    if (maySpeakWith(credential, use)) return []
    const host = hostOf(speechAddress(use) ?? '')
    return [{ path, message: `does not cover the host of the provider: its hosts must have ${host}` }]
  })
}

/** Whether a credential may be sent to a provider. */
export function maySpeakWith(
  credential: CredentialHosts,
  service: Pick<SpeechCredential, 'provider' | 'baseUrl'>,
): boolean {
  const address = speechAddress(service)
  return address === null || isForUrl(credential, address)
}

/** The destination of a provider's requests; null for a program of the operating system. */
export function speechAddress({
  provider,
  baseUrl,
}: Pick<SpeechCredential, 'provider' | 'baseUrl'>): string | null {
  const own = Object.entries(SPEECH_ADDRESSES).find(([id]) => id === provider)?.[1] ?? null
  return own === null ? null : (baseUrl ?? own)
}

function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? address
}
