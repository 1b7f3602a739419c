import type { Clock } from '@troupe/agents/ports'
import type { NewId } from '@troupe/contract'
import type { Livekit } from '@troupe/livekit'
import type { Database } from '@troupe/storage'
import {
  type CallResults,
  MediaEvents,
  noMediaPlane,
  type SpeechKeys,
  type VoiceParts,
  type VoiceStores,
} from '@troupe/voice'
import type { Logger } from 'pino'
import type { VoiceConfig } from '../config/read-voice.ts'
import type { VoiceSecrets } from '../config/secrets.ts'
import { MediaProbe } from './media-probe.ts'

/** Dependencies of voice. */
export interface VoiceDeps {
  database: Pick<Database, 'voice'>
  clock: Clock
  newId: NewId
  log: Logger
  speech: SpeechKeys
  results: CallResults
  /** Replaces the configured server. */
  livekit: Livekit | undefined
}

/** Voice sessions and calls. */
export interface Voice extends AsyncDisposable {
  /** Without a media server, its media plane refuses every request. */
  parts: VoiceParts & { stores: VoiceStores }
  /** null: not configured. */
  connected: ConnectedVoice | null
}

/** Parts that exist only with a media server. */
export interface ConnectedVoice {
  config: VoiceConfig
  livekit: Livekit
  /** Takes webhooks of the media server. */
  events: MediaEvents
  /** Bearer of the internal listener. */
  internalToken: string
  /** Milliseconds since the epoch. The process could not hear workers before it. */
  bootedAt: number
}

/** Placeholder limits without a voice configuration: no session starts. */
const NO_LIMITS = { joinTimeoutS: 300, maxSessionS: 3_600, billingUnitS: 60 }

/** Voice as configured. LiveKit's client is loaded only if it is used. */
export async function createVoice(
  config: VoiceConfig | null,
  secrets: VoiceSecrets | null,
  { database, clock, newId, log, speech, results, livekit: given }: VoiceDeps,
): Promise<Voice> {
  await using resources = new AsyncDisposableStack()
  const isConfigured = config !== null && secrets !== null
  const livekit = isConfigured ? (given ?? (await connect(config, secrets))) : null
  const { joinTimeoutS, maxSessionS, billingUnitS } = config ?? NO_LIMITS
  const parts: Voice['parts'] = {
    media: livekit ?? noMediaPlane(),
    stores: database.voice,
    speech,
    results,
    newId,
    now: () => clock.now(),
    limits: { joinTimeoutS, maxSessionS, billingUnitS },
    onFailure: (task, err) => log.warn({ task, err }, 'a task of voice failed'),
  }
  let connected: ConnectedVoice | null = null
  if (isConfigured && livekit !== null) {
    const events = resources.use(new MediaEvents(parts))
    resources.use(new MediaProbe(livekit))
    const { internalToken } = secrets
    connected = { config, livekit, events, internalToken, bootedAt: clock.now() }
  }
  const owned = resources.move()
  return { parts, connected, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function connect({ livekitUrl, sipHealthUrl }: VoiceConfig, secrets: VoiceSecrets): Promise<Livekit> {
  const { createLivekit } = await import('@troupe/livekit')
  const { apiKey, apiSecret } = secrets
  return createLivekit({ httpUrl: livekitUrl, apiKey, apiSecret, sipHealthUrl })
}
