import { type CompleteVoiceSettings, completeVoiceSettings } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { type AgentVoice, type SpeechKeys, speechProviders } from '@troupe/voice'
import type { StoredCredentials } from '../credentials/stored-credentials.ts'
import { maySpeakWith } from './voice-faults.ts'

/** Sources of voices. */
export interface AgentVoiceSources {
  read: Pick<Readers, 'voiceConfigurations'>
  credentials: Pick<StoredCredentials, 'find'>
}

/** A voice with its providers, whose secrets are decrypted. */
export type OpenVoice = Awaited<ReturnType<typeof speechProviders>> & { settings: CompleteVoiceSettings }

/** The voices of agents, with the secrets that each agent may use. */
export class AgentVoices implements SpeechKeys {
  readonly #sources: AgentVoiceSources

  constructor(sources: AgentVoiceSources) {
    this.#sources = sources
  }

  /** The voice as currently configured, without providers whose key is missing; null if it was deleted. */
  async open({ organizationId, projectId, voiceConfigId }: AgentVoice): Promise<OpenVoice | null> {
    const { read, credentials } = this.#sources
    const configuration = await read.voiceConfigurations.byId(organizationId, voiceConfigId)
    if (!configuration) return null
    const settings = completeVoiceSettings(configuration.settings)
    const providers = await speechProviders(configuration, settings, async (credentialId, service) => {
      const credential = await credentials.find({ organizationId, projectId }, credentialId)
      return credential !== null && maySpeakWith(credential, service) ? credential.secret : null
    })
    return { settings, ...providers }
  }

  async canConverse(voice: AgentVoice): Promise<boolean> {
    const open = await this.open(voice)
    return open !== null && open.stt.length > 0 && open.tts.length > 0
  }
}
