import {
  type CredentialId,
  completeVoiceSettings,
  DomainError,
  type IdText,
  invalidRequest,
  type ProjectId,
  TTS_PROVIDERS,
  type VoiceSettings,
} from '@troupe/contract'
import type { SpokenTest, TestVoiceConfigurationBody } from '@troupe/contract/builder'
import type { Semaphore } from '@troupe/durable-work'
import type { SecretBox } from '@troupe/secrets'
import { SpeechError, type SpokenText, speakText } from '@troupe/speech'
import type { Database, VoiceConfigurationRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { StoredCredentials } from '../credentials/stored-credentials.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { findVoiceConfiguration } from './find-voice-configuration.ts'
import { maySpeakWith, speechAddress, voiceSettingsFaults } from './voice-faults.ts'

/** Dependencies of the operation. */
export interface TestVoiceParts {
  database: Pick<Database, 'read'>
  secretBox: SecretBox
  /** Refuses addresses of private networks. */
  outgoing: { fetch: typeof globalThis.fetch }
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Maximum concurrent voice tests on this machine; each runs a separate program. */
export const TESTED_PROGRAMS = 2

const TIMEOUT_MS = 20_000

/** The voice that a request describes. */
interface AskedVoice {
  ttsProvider: string
  ttsCredentialId: IdText<CredentialId> | null
  settings: VoiceSettings
  projectId: ProjectId | null
}

/**
 * Speaks one sentence: the greeting unless another is sent. Absent values come from the stored configuration.
 *
 * @throws DomainError `validation_error`, `voice_configuration_not_found`, `agent_not_found`, or `upstream_error` with
 * the provider's message, or `concurrency_limit_reached` while other voice tests run on this machine
 */
export async function testVoice(
  parts: TestVoiceParts,
  caller: BuilderCaller,
  body: TestVoiceConfigurationBody,
  programs: Semaphore,
): Promise<SpokenTest> {
  const asked = await askedVoice(parts, caller, body)
  const spoken = await spokenText(parts, caller, asked, body.text)
  const startedAt = parts.now()
  const wav = await (speechAddress(spoken) === null
    ? byProgram(programs, () => wavOf(parts, spoken))
    : wavOf(parts, spoken))
  return {
    provider: spoken.provider,
    text: spoken.text,
    latencyMs: Math.max(0, Math.round(parts.now() - startedAt)),
    audio: `data:audio/wav;base64,${wav.toString('base64')}`,
  }
}

/** The programs share the processors with the rest of the server, so a further test is refused immediately. */
async function byProgram(programs: Semaphore, speak: () => Promise<Buffer>): Promise<Buffer> {
  const leave = programs.tryEnter()
  if (leave === null) {
    const message = `This server tests at most ${TESTED_PROGRAMS} local voices at a time. Try again in a moment.`
    throw new DomainError('concurrency_limit_reached', message)
  }
  try {
    return await speak()
  } finally {
    leave()
  }
}

/** @throws DomainError `upstream_error` */
async function wavOf({ outgoing }: TestVoiceParts, spoken: SpokenText): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return speakText(spoken, { fetch: outgoing.fetch, signal }).catch((error: unknown) => {
    throw error instanceof SpeechError ? new DomainError('upstream_error', error.message) : error
  })
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
  if (ttsProvider === undefined) throw invalidRequest([{ path: 'ttsProvider', message: 'is required' }])
  const scope = { organizationId, projectId: null }
  const agent =
    body.agentId === undefined
      ? stored
      : await findRunnable('agent', read.agents.byId, scope, body.agentId.toLowerCase())
  return {
    ttsProvider,
    ttsCredentialId:
      body.ttsCredentialId === undefined ? (stored?.ttsCredentialId ?? null) : body.ttsCredentialId,
    settings: body.settings ?? stored?.settings ?? {},
    projectId: agent?.projectId ?? null,
  }
}

/** The text with its voice; the key is decrypted here. */
async function spokenText(
  { database: { read }, secretBox: box }: TestVoiceParts,
  { organizationId }: BuilderCaller,
  { ttsProvider, ttsCredentialId, settings, projectId }: AskedVoice,
  given: string | undefined,
): Promise<SpokenText> {
  const { language, tts, greeting } = completeVoiceSettings(settings)
  const provider = TTS_PROVIDERS.find((id) => id === ttsProvider)
  if (provider === undefined)
    throw invalidRequest([{ path: 'ttsProvider', message: 'is not known to this server' }])
  // Tests the provider itself, not its fallbacks.
  const faults = voiceSettingsFaults({ ttsProvider, settings }).filter(
    ({ path }) => path.startsWith('settings.tts.') && !path.startsWith('settings.tts.fallbacks.'),
  )
  if (faults.length > 0) throw invalidRequest(faults)
  const { model, voice, baseUrl, speed } = tts
  const address = speechAddress({ provider, baseUrl })
  let apiKey: string | null = null
  if (ttsCredentialId !== null && address !== null) {
    const stored = new StoredCredentials({ read, box, onUnreadable: () => {} })
    const credential = await stored.find({ organizationId, projectId }, ttsCredentialId)
    const path = 'ttsCredentialId'
    if (!credential) throw invalidRequest([{ path, message: 'does not exist, or it may not be used here' }])
    if (!maySpeakWith(credential, { provider, baseUrl })) {
      throw invalidRequest([{ path, message: `does not cover the host of ${address}` }])
    }
    apiKey = credential.secret
  }
  return { text: given ?? greeting.text, provider, language, model, voice, baseUrl, speed, apiKey }
}
