import type { SpokenTest, TestVoiceConfigurationBody } from '@troupe/builder-contract'
import {
  completeVoiceSettings,
  DomainError,
  type FieldError,
  type ProjectId,
  TTS_PROVIDERS,
  type VoiceSettings,
} from '@troupe/contract'
import type { Database, VoiceConfigurationRecord } from '@troupe/database'
import { findAgent } from '@troupe/operations/agents/find-agent'
import { StoredCredentials } from '@troupe/operations/credentials/stored-credentials'
import { maySpeakWith, speechAddress } from '@troupe/operations/voice-configurations/voice-faults'
import type { SecretBox } from '@troupe/secrets'
import { SpeechError, type SpokenText, speakText } from '@troupe/speech'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findVoiceConfiguration } from './find-voice-configuration.ts'

/** What the operation uses. */
export interface TestVoiceParts {
  database: Pick<Database, 'read'>
  secretBox: SecretBox
  /** Refuses addresses of private networks. */
  outgoing: { fetch: typeof globalThis.fetch }
  /** Milliseconds since the epoch. */
  now: () => number
}

const TIMEOUT_MS = 20_000

/** The voice that a request describes. */
interface AskedVoice {
  ttsProvider: string
  ttsCredentialId: string | null
  settings: VoiceSettings
  projectId: ProjectId | null
}

/**
 * Speaks one sentence: the greeting unless another is sent. What is absent comes from the stored configuration.
 *
 * @throws DomainError `validation_error`, `voice_configuration_not_found`, `agent_not_found`, or `upstream_error` with what
 *   the provider said
 */
export async function testVoice(
  parts: TestVoiceParts,
  caller: BuilderCaller,
  body: TestVoiceConfigurationBody,
): Promise<SpokenTest> {
  const asked = await askedVoice(parts, caller, body)
  const spoken = await spokenText(parts, caller, asked, body.text)
  const startedAt = parts.now()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const wav = await speakText(spoken, { fetch: parts.outgoing.fetch, signal }).catch((error: unknown) => {
    throw error instanceof SpeechError ? new DomainError('upstream_error', error.message) : error
  })
  return {
    provider: spoken.provider,
    text: spoken.text,
    latencyMs: Math.max(0, Math.round(parts.now() - startedAt)),
    audio: `data:audio/wav;base64,${wav.toString('base64')}`,
  }
}

async function askedVoice(
  { database: { read } }: TestVoiceParts,
  { organizationId }: BuilderCaller,
  body: TestVoiceConfigurationBody,
): Promise<AskedVoice> {
  const stored: VoiceConfigurationRecord | null =
    body.voiceConfigId === undefined
      ? null
      : await findVoiceConfiguration(read, organizationId, body.voiceConfigId)
  const ttsProvider = body.ttsProvider ?? stored?.ttsProvider
  if (ttsProvider === undefined) throw invalid([{ path: 'ttsProvider', message: 'is required' }])
  const scope = { organizationId, projectId: null }
  const agent =
    body.agentId === undefined ? stored : await findAgent(read.agents.byId, scope, body.agentId.toLowerCase())
  return {
    ttsProvider,
    ttsCredentialId:
      body.ttsCredentialId === undefined ? (stored?.ttsCredentialId ?? null) : body.ttsCredentialId,
    settings: body.settings ?? stored?.settings ?? {},
    projectId: agent?.projectId ?? null,
  }
}

/** The text with the voice that speaks it; its key is opened here. */
async function spokenText(
  { database: { read }, secretBox: box }: TestVoiceParts,
  { organizationId }: BuilderCaller,
  { ttsProvider, ttsCredentialId, settings, projectId }: AskedVoice,
  given: string | undefined,
): Promise<SpokenText> {
  const { language, tts, greeting } = completeVoiceSettings(settings)
  const provider = TTS_PROVIDERS.find((id) => id === ttsProvider)
  if (provider === undefined) throw invalid([{ path: 'ttsProvider', message: 'is not known to this server' }])
  const { model, voice, baseUrl, speed } = tts
  const address = speechAddress({ provider, baseUrl })
  let apiKey: string | null = null
  if (ttsCredentialId !== null && address !== null) {
    const stored = new StoredCredentials({ read, box, onUnreadable: () => {} })
    const credential = await stored.find({ organizationId, projectId }, ttsCredentialId)
    const path = 'ttsCredentialId'
    if (!credential) throw invalid([{ path, message: 'does not exist, or it may not be used here' }])
    if (!maySpeakWith(credential, { provider, baseUrl })) {
      throw invalid([{ path, message: `is not for the host of ${address}` }])
    }
    apiKey = credential.secret
  }
  return { text: given ?? greeting.text, provider, language, model, voice, baseUrl, speed, apiKey }
}

function invalid(errors: FieldError[]): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', { errors })
}
