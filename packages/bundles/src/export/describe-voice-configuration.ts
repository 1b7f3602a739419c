import {
  type BundleVoiceConfiguration,
  type CredentialId,
  type IdText,
  STT_PROVIDERS,
  TTS_PROVIDERS,
} from '@troupe/contract'
import type { VoiceConfigurationRecord } from '@troupe/storage'
import type { Slugs } from './slugs.ts'

/** A voice in the bundle format. */
export function describeVoiceConfiguration(
  record: VoiceConfigurationRecord,
  { agents, credentials }: { agents: Slugs; credentials: Slugs },
): BundleVoiceConfiguration {
  const { stt, tts, ...settings } = record.settings
  const credentialOf = (id: string | null) => {
    const credential = credentials.get(id)
    return credential === undefined ? {} : { credential }
  }
  const fallbackOf = <F extends { credential_id?: IdText<CredentialId> | null }>({
    credential_id: id = null,
    ...fallback
  }: F) => ({
    ...fallback,
    ...credentialOf(id?.toLowerCase() ?? null),
  })
  return {
    slug: record.slug,
    id: record.id,
    agent: agents.get(record.agentId) ?? record.agentId,
    stt: {
      provider: known(STT_PROVIDERS, record.sttProvider),
      ...credentialOf(record.sttCredentialId),
      ...stt,
      ...(stt?.fallbacks && { fallbacks: stt.fallbacks.map(fallbackOf) }),
    },
    tts: {
      provider: known(TTS_PROVIDERS, record.ttsProvider),
      ...credentialOf(record.ttsCredentialId),
      ...tts,
      ...(tts?.fallbacks && { fallbacks: tts.fallbacks.map(fallbackOf) }),
    },
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** The stored provider. @throws TypeError for an unknown one */
function known<T extends string>(providers: readonly T[], stored: string): T {
  const provider = providers.find((one) => one === stored)
  if (provider === undefined) throw new TypeError(`not a speech provider: ${stored}`)
  return provider
}
